// The summary of Results.
import { type Question, type ResultSummary, SUMMARY_RESPONSES } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { figures } from '../components.ts';
import { type Bar, barChart, shareBar } from './charts.ts';

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole));

export function summarySection(summary: ResultSummary, questions: readonly Question[]): Html {
  const { answers } = summary;
  const scores = questions.filter(({ type }) => type === 'score').map((question, index) => scoreChart(question, answers, index));
  const choices = questions.filter(({ type }) => type === 'choice').map((question) => choiceTable(question, answers));
  return html`<section aria-labelledby="summary"><h2 id="summary" class="hidden">Summary</h2>
${tiles(summary)}
<div class="charts">${scores}${choices}${overTime(summary)}${rateOverTime(summary)}</div>
</section>`;
}

function tiles({ responses, scanned, invited, bounced, responded, sentCapped }: ResultSummary): Html {
  const total = Number(responses ?? scanned);
  const partial = scanned < total || (responses === null && scanned >= SUMMARY_RESPONSES);
  return figures([
    {
      name: responses === null ? 'Responses found' : 'Responses',
      value: formatNumber(total),
      note: partial && `numbers and charts cover the newest ${formatNumber(scanned)}`,
    },
    ...(invited === null || responded === null
      ? []
      : [
          {
            name: 'Response rate',
            value: invited === 0 ? '–' : `${percent(responded, invited)}%`,
            note:
              invited === 0
                ? 'no invitations sent yet'
                : `${formatNumber(responded)} of ${sentCapped ? 'the newest ' : ''}${plural(invited, 'sent invitation')}${bounced ? ` that didn't bounce` : ''}`,
          },
        ]),
  ]);
}

function scoreChart(question: Question, answers: ResultSummary['answers'], index: number): Html | false {
  const { bars, count, average, others } = distribution(question, answers);
  if (average === null) return false;
  const shown = average.toFixed(1);
  const most = bars.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))[0];
  return html`<div class="card panel">${barChart({
    id: `score-${index}`,
    title: question.label,
    description: `Distribution of ${plural(count, 'response')}. Average: ${shown}. Most frequent: ${most?.label}.`,
    series: ['Responses'],
    bars,
  })}<p class="note">Average ${shown} · ${plural(count, 'response')}${others > 0 && ` · ${formatNumber(others)} not on this scale`}</p></div>`;
}

function choiceTable(question: Question, answers: ResultSummary['answers']): Html | false {
  const counts = choiceCounts(question, answers);
  const total = counts.reduce((sum, { number }) => sum + number, 0);
  if (total === 0) return false;
  return html`<div class="card panel"><table class="shares">
<caption>${question.label}</caption>
<thead class="hidden"><tr><th scope="col">Answer</th><th scope="col">Responses</th></tr></thead>
<tbody>${counts.map(({ label, number, other }) => html`<tr><th scope="row"${other && html` class="note"`}>${label}${shareBar(number / total)}</th><td>${formatNumber(number)} <span class="note">${percent(number, total)}%</span></td></tr>`)}</tbody>
</table></div>`;
}

function overTime({ days, scanned }: ResultSummary): Html | false {
  if (scanned === 0) return false;
  const { period, bars } = timeBars(days.map(({ day, invitation, direct }) => ({ day, numbers: [invitation, direct] })));
  return html`<div class="card panel">${barChart({
    id: 'responses',
    title: `Responses by ${period}`,
    description: `${plural(scanned, 'response')} from ${days[0]?.day} to ${days.at(-1)?.day} (UTC).`,
    series: ['by invitation', 'direct'],
    bars,
  })}</div>`;
}

function rateOverTime({ sentDays, invited, responded }: ResultSummary): Html | false {
  if (sentDays === null || !invited) return false;
  const { period, bars } = timeBars(
    sentDays.map((one) => ({ day: one.day, numbers: [one.responded, one.invited] })),
    ([responses = 0, sent = 0]) => [percent(responses, sent)],
  );
  return html`<div class="card panel">${barChart({
    id: 'rate',
    title: `Response rate by ${period} sent`,
    description: `${percent(responded ?? 0, invited)}% overall. Invitations sent from ${sentDays[0]?.day} to ${sentDays.at(-1)?.day} (UTC).`,
    series: ['Responded'],
    bars,
    unit: '%',
    top: 100,
  })}</div>`;
}

const DAY = 86_400_000;
const MAX_BARS = 31;
/** Of a distribution; longer scales are grouped. */
const MAX_SCORES = 21;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Period = 'day' | 'week' | 'month' | 'year';

/** Weeks begin on Monday (ISO 8601). */
function start(day: Date, period: Period): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (period === 'year') return new Date(Date.UTC(year, 0));
  if (period === 'month') return new Date(Date.UTC(year, month));
  return period === 'week' ? new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY) : day;
}

function next(day: Date, period: Period): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (period === 'year') return new Date(Date.UTC(year + 1, 0));
  if (period === 'month') return new Date(Date.UTC(year, month + 1));
  return new Date(day.getTime() + (period === 'week' ? 7 : 1) * DAY);
}

const SPANS: readonly [period: Period, days: number][] = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
];

function periods(first: Date, last: Date): { period: Period; starts: Date[] } {
  const days = (last.getTime() - first.getTime()) / DAY + 1;
  const period = SPANS.find(([, length]) => days / length <= MAX_BARS - 1)?.[0] ?? 'year';
  const starts: Date[] = [];
  for (let day = start(first, period); day <= last; day = next(day, period)) starts.push(day);
  return { period, starts };
}

const short = (day: Date) => `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}`;

function words(day: Date, period: Period): { label: string; tick: string } {
  const iso = day.toISOString();
  const year = iso.slice(0, 4);
  if (period === 'year') return { label: year, tick: year };
  const month = MONTHS[day.getUTCMonth()] ?? '';
  if (period === 'month') return { label: `${month} ${year}`, tick: day.getUTCMonth() === 0 ? year : month };
  return { label: period === 'week' ? `Week of ${iso.slice(0, 10)}` : iso.slice(0, 10), tick: short(day) };
}

/**
 * Days in between get a bar of nothing.
 * @param days In order; each `YYYY-MM-DD` with one number a series.
 * @param finish From a period's sums; by default the sums.
 */
export function timeBars(
  days: readonly { readonly day: string; readonly numbers: readonly number[] }[],
  finish: (numbers: readonly number[]) => readonly number[] = (numbers) => numbers,
): { period: Period; bars: Bar[] } {
  const [first, last] = [days[0], days.at(-1)].map((one) => new Date(`${one?.day ?? '1970-01-01'}T00:00:00Z`));
  if (days.length === 0 || first === undefined || last === undefined) return { period: 'day', bars: [] };
  const { period, starts } = periods(first, last);
  const sums = new Map<number, number[]>();
  for (const { day, numbers } of days) {
    const at = start(new Date(`${day}T00:00:00Z`), period).getTime();
    const known = sums.get(at) ?? numbers.map(() => 0);
    sums.set(
      at,
      known.map((number, index) => number + (numbers[index] ?? 0)),
    );
  }
  const zeros = days[0]?.numbers.map(() => 0) ?? [];
  const bars = starts.map((day) => ({ ...words(day, period), values: finish(sums.get(day.getTime()) ?? zeros) }));
  return { period, bars };
}

export interface Distribution {
  readonly bars: readonly Bar[];
  readonly count: number;
  readonly average: number | null;
  readonly others: number;
}

export function distribution({ id, min = 0, max = 10 }: Question, answers: ResultSummary['answers']): Distribution {
  const mine = answers.filter(({ question }) => question === id);
  const scores = mine.filter(({ value }) => value !== null && Number(value) >= min && Number(value) <= max);
  const count = scores.reduce((total, { number }) => total + number, 0);
  const width = Math.ceil((max - min + 1) / MAX_SCORES);
  const bars: Bar[] = [];
  for (let from = min; from <= max; from += width) {
    const to = Math.min(from + width - 1, max);
    const inside = scores.filter(({ value }) => Number(value) >= from && Number(value) <= to);
    const label = from === to ? String(from) : `${from}–${to}`;
    bars.push({ label, tick: label, values: [inside.reduce((total, { number }) => total + number, 0)] });
  }
  const total = scores.reduce((sum, { value, number }) => sum + Number(value) * number, 0);
  const others = mine.reduce((all, { number }) => all + number, 0) - count;
  return { bars, count, average: count === 0 ? null : total / count, others };
}

/** In the question's order; other answers come last. */
export function choiceCounts(
  { id, choices = [] }: Question,
  answers: ResultSummary['answers'],
): { label: string; number: number; other: boolean }[] {
  const count = (value: string | null) => answers.find((answer) => answer.question === id && answer.value === value)?.number ?? 0;
  const listed = choices.map((label) => ({ label, number: count(label), other: false }));
  const others = count(null);
  return others === 0 ? listed : [...listed, { label: 'Other answers', number: others, other: true }];
}
