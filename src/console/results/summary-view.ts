// The summary of Results: figures, distributions, trends.
import type { Answer, Estimate, Period, Question, ResponseRate, ResultSummary, Score } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber, plural } from '../../text.ts';
import { figures } from '../components.ts';
import { type Asked, askedQuery } from './asked.ts';
import type { PeriodQuestions } from './asked-questions.ts';
import { type Bar, barChart, lineChart, shareBar } from './charts.ts';

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole));

export interface SummaryView {
  readonly summary: ResultSummary;
  readonly rate: ResponseRate;
  readonly questions: PeriodQuestions;
  readonly asked: Asked;
  readonly path: string;
  readonly before: Period | undefined;
}

export function summarySection(view: SummaryView): Html {
  const { asked, others } = view.questions;
  const of = (questions: readonly Question[], type: Question['type']) => questions.filter((question) => question.type === type);
  return html`<section aria-labelledby="summary"><h2 id="summary" class="hidden">Summary</h2>
${tiles(view)}
<div class="charts">${of(asked, 'score').map((question) => scoreCharts(view, question))}${of(asked, 'choice').map((question) => choiceTable(view, question))}${overTime(view.summary)}${rateOverTime(view)}${[
    ...of(others, 'score').map((question) => scoreCharts(view, question)),
    ...of(others, 'choice').map((question) => choiceTable(view, question)),
    ...of(others, 'text').map((question) => comments(view, question)),
  ]}</div>
</section>`;
}

/** Links to the responses that answer the question, or that give one of these answers. */
const behind = ({ asked, path }: SummaryView, question: string, answers: readonly string[] = []): string =>
  `${path}${askedQuery({ ...asked, question, answers })}#responses`;

/** `+16`, `-3` or `0`. */
const signed = (value: number): string => `${value > 0 ? '+' : ''}${Math.round(value)}`;
const decimal = (value: number): string => value.toFixed(1);
const formatOf = ({ nps }: Question) => (nps === true ? signed : decimal);

export const NPS_GROUPS = [
  ['Promoters', 9, 10, 'promoter'],
  ['Passives', 7, 8, 'passive'],
  ['Detractors', 0, 6, 'detractor'],
] as const;

/** For example `promoter`. Undefined: the question asks for no NPS. */
export const groupOf = (nps: boolean | undefined, score: unknown) =>
  nps === true ? NPS_GROUPS.find(([, from, to]) => Number(score) >= from && Number(score) <= to)?.[3] : undefined;

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** For example `▲ 7 from +9`. Screen readers read "up" or "down" instead of the sign. */
function change(now: number, before: number, format: (value: number) => string, unit = ''): Html {
  const [shown, was] = [format(now), format(before)];
  if (shown === was) return html`same as before`;
  const size = format(Math.abs(now - before)).replace('+', '');
  return html`<span aria-hidden="true">${now > before ? '▲' : '▼'}</span> ${size}${unit === '%' && ' points'} <span class="hidden">${now > before ? 'up' : 'down'}</span> from ${was}${unit}`;
}

const changeOf = (now: Estimate, before: Estimate | null, format: (value: number) => string): Html | false =>
  now.value !== null && typeof before?.value === 'number' && html`<br>${change(now.value, before.value, format)}`;

/** The 95% interval, cut off at the ends of the scale. */
const interval = (
  { low, high }: Pick<Estimate, 'low' | 'high'>,
  format: (value: number) => string,
  min = -100,
  max = 100,
): string => (low === null || high === null ? '' : `${format(Math.max(low, min))} to ${format(Math.min(high, max))}`);

function tiles(view: SummaryView): Html {
  const { summary, before } = view;
  const questions = view.questions.asked;
  const [invited, responded] = [view.rate.invited, view.rate.responded].map(Number) as [number, number];
  const responses = Number(summary.responses);
  const direct = summary.bins.reduce((total, bin) => total + bin.direct, 0);
  const count = (question: string) => answersTo(summary, question);
  const score = (question: Question) => {
    const found = summary.scores.find((entry) => entry.question === question.id);
    if (found === undefined || found.value === null) return [];
    const format = formatOf(question);
    const { min = 0, max = 10 } = question;
    const ends = question.nps === true ? interval(found, format) : interval(found, format, min, max);
    const name = question.nps === true ? 'NPS' : `Average, ${min} to ${max}`;
    const note = html`${ends !== '' && `95% interval ${ends} · `}${plural(found.responses ?? 0, 'score')}${changeOf(found, found.before, format)}`;
    return [{ name: html`${name}<span class="hidden">: ${question.label}</span>`, value: format(found.value), note }];
  };
  const recent = Number(view.rate.recent);
  const rate = invited > 0 ? percent(responded, invited) : undefined;
  const [invitedBefore, respondedBefore] = [Number(view.rate.invitedBefore), Number(view.rate.respondedBefore)];
  const scored = questions.filter(({ type }) => type === 'score');
  return html`${figures([
    ...scored.filter(({ nps }) => nps === true).flatMap(score),
    {
      name: 'Responses',
      value: formatNumber(responses),
      note: html`${formatNumber(responses - direct)} by invitation, ${formatNumber(direct)} direct${summary.responsesBefore !== null && html`<br>${change(responses, Number(summary.responsesBefore), formatNumber)}`}`,
    },
    ...(view.rate.invited === null
      ? []
      : [
          {
            name: 'Response rate',
            value: rate === undefined ? '–' : `${rate}%`,
            note:
              rate === undefined
                ? recent > 0
                  ? `${plural(recent, 'invitation')} sent in the last three days: too early to say`
                  : 'no invitations sent'
                : html`${formatNumber(responded)} of ${plural(invited, 'invitation')} that ${invited === 1 ? 'was' : 'were'} sent at least three days ago${Number(view.rate.bounced) > 0 && ` and didn't bounce`}${recent > 0 && html`<br>${formatNumber(recent)} sent since`}${invitedBefore > 0 && html`<br>${change(rate, percent(respondedBefore, invitedBefore), String, '%')}`}`,
          },
        ]),
    ...scored.filter(({ nps }) => nps !== true).flatMap(score),
    ...questions
      .filter(({ type, id }) => type === 'text' && count(id) > 0)
      .map(({ id, label }) => ({
        name: html`Comments<span class="hidden">: ${label}</span>`,
        value: formatNumber(count(id)),
        note: `${percent(count(id), responses)}% of responses`,
        href: behind(view, id),
      })),
  ])}
<p class="note">${summary.firstDay} to ${summary.lastDay}${before && `, compared with ${before.firstDay} to ${before.lastDay}`}</p>`;
}

function scoreCharts(view: SummaryView, question: Question): Html | false {
  const { summary } = view;
  const { bars, count, others } = distribution(question, summary.answers, (value) => behind(view, question.id, [value]));
  const score = summary.scores.find((entry) => entry.question === question.id);
  if (count === 0 || score === undefined || score.value === null) return false;
  const format = formatOf(question);
  const { min = 0, max = 10, nps } = question;
  const shown = `${nps === true ? 'NPS' : 'Average'} ${format(score.value)}`;
  const ends = nps === true ? interval(score, format) : interval(score, format, min, max);
  const most = bars.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))[0];
  return html`<div class="card panel">${barChart({
    id: `score-${question.id}`,
    title: question.label,
    description: `Distribution of ${plural(count, 'response')}. ${shown}. Most frequent: ${most?.label}.`,
    series: ['Responses'],
    bars,
  })}${nps === true && groups(view, question, count)}<p class="note">${shown}${ends !== '' && ` (95% interval ${ends})`} · ${plural(count, 'response')}${others > 0 && ` · ${formatNumber(others)} not on this scale`}</p>${earlier(view, question)}</div>
${trend(summary, question, score)}`;
}

const answersTo = ({ answers }: ResultSummary, id: string): number =>
  answers.filter(({ question }) => question === id).reduce((total, { number }) => total + number, 0);

/** The number of comments on a question that is no longer asked. Questions that are still asked have a figure instead. */
function comments(view: SummaryView, question: Question): Html | false {
  const count = answersTo(view.summary, question.id);
  return (
    count > 0 &&
    html`<div class="card panel"><p><strong>${question.label}</strong></p><p><a href="${behind(view, question.id)}">${plural(count, 'comment')}</a></p>${earlier(view, question)}</div>`
  );
}

/** Lists the question's earlier wordings, each with a link to the period up to its last day. Their answers are counted too. */
function earlier({ questions, summary, asked, path }: SummaryView, { id }: Question): Html {
  const until = (to: string) =>
    to < summary.firstDay
      ? ''
      : html`, <a href="${path}${askedQuery({ ...asked, period: 'custom', from: summary.firstDay, to })}">until ${to}</a>`;
  const lastDay = questions.asked.some((question) => question.id === id) ? undefined : questions.lastDay(id);
  const wordings = questions.earlier(id);
  return html`${wordings.length > 0 && html`<p class="note">Earlier asked as ${wordings.map(({ words, lastDay }, index) => html`${index > 0 && '; '}“${words}”${until(lastDay)}`)}. All are counted together.</p>`}${lastDay !== undefined && html`<p class="note">No longer asked; last asked on ${lastDay}.</p>`}`;
}

function groups(view: SummaryView, { id }: Question, count: number): Html {
  const numbers = NPS_GROUPS.map(([name, from, to, kind]) => {
    const values = range(from, to);
    const mine = view.summary.answers.filter(({ question, value }) => question === id && values.includes(value));
    return { name, from, to, kind, values, number: mine.reduce((total, { number }) => total + number, 0) };
  });
  return html`<p class="groups">${numbers.map(({ name, from, to, kind, values, number }) => html`<a href="${behind(view, id, values)}" class="key ${kind}">${name} ${from}–${to}</a> <span>${formatNumber(number)} (${percent(number, count)}%)</span> `)}</p>`;
}

function trend({ bins, unit }: ResultSummary, question: Question, score: Score): Html | false {
  if (score.bins.filter(({ value }) => value !== null).length < 2) return false;
  const format = formatOf(question);
  const { min = 0, max = 10, nps } = question;
  const name = nps === true ? 'NPS' : 'Average';
  return html`<div class="card panel">${lineChart({
    id: `trend-${question.id}`,
    title: `${name} by ${unit}: ${question.label}`,
    description: `${name} of each ${unit}, with 95% intervals as a band.`,
    points: score.bins.map((estimate, place) => ({ ...dayTexts(new Date(`${bins[place]?.day}T00:00:00Z`), unit), ...estimate })),
    ...(nps === true ? { bottom: -100, top: 100 } : { bottom: min, top: max }),
    format,
  })}</div>`;
}

function choiceTable(view: SummaryView, question: Question): Html | false {
  const counts = choiceCounts(question, view.summary.answers);
  const total = counts.reduce((sum, { number }) => sum + number, 0);
  if (total === 0) return false;
  const name = ({ label, other, number }: (typeof counts)[number]) =>
    other || number === 0 ? label : html`<a href="${behind(view, question.id, [label])}">${label}</a>`;
  const inPercent = (share: number) => `${Math.round(100 * share)}`;
  return html`<div class="card panel"><table class="shares">
<caption>${question.label}</caption>
<thead class="hidden"><tr><th scope="col">Answer</th><th scope="col">Responses</th></tr></thead>
<tbody>${counts.map((count) => html`<tr><th scope="row"${count.other && html` class="note"`}>${name(count)}${shareBar(count.number / total)}</th><td>${formatNumber(count.number)} <span class="note">${percent(count.number, total)}%${count.low !== null && ` (${interval(count, inPercent, 0, 1)})`}</span></td></tr>`)}</tbody>
</table><p class="note">${plural(total, 'response')}; in brackets the 95% interval.</p>${earlier(view, question)}</div>`;
}

function overTime({ bins, unit, responses, firstDay, lastDay }: ResultSummary): Html | false {
  if (Number(responses) === 0) return false;
  return html`<div class="card panel">${barChart({
    id: 'responses-over-time',
    title: `Responses by ${unit}`,
    description: `${plural(Number(responses), 'response')} from ${firstDay} to ${lastDay}.`,
    series: ['by invitation', 'direct'],
    bars: bins.map(({ day, invitation, direct }) => ({
      ...dayTexts(new Date(`${day}T00:00:00Z`), unit),
      values: [invitation, direct],
    })),
  })}</div>`;
}

function rateOverTime({ rate: { bins, invited, responded }, summary: { unit } }: SummaryView): Html | false {
  if (bins === null || Number(invited) === 0) return false;
  return html`<div class="card panel">${barChart({
    id: 'rate',
    title: `Response rate by ${unit} sent`,
    description: `${percent(Number(responded), Number(invited))}% overall.`,
    series: ['Responded'],
    // The last days have no invitation that is old enough.
    bars: bins.slice(0, bins.findLastIndex(({ invited }) => invited > 0) + 1).map(({ day, invited, responded }) => ({
      ...dayTexts(new Date(`${day}T00:00:00Z`), unit),
      values: [percent(responded, invited)],
    })),
    unit: '%',
    top: 100,
  })}</div>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Unit = ResultSummary['unit'];

const short = (day: Date) => `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}`;

function dayTexts(day: Date, period: Unit): { label: string; tick: string } {
  const iso = day.toISOString();
  const year = iso.slice(0, 4);
  if (period === 'year') return { label: year, tick: year };
  const month = MONTHS[day.getUTCMonth()] ?? '';
  if (period === 'month') return { label: `${month} ${year}`, tick: day.getUTCMonth() === 0 ? year : month };
  return { label: period === 'week' ? `Week of ${iso.slice(0, 10)}` : iso.slice(0, 10), tick: short(day) };
}

export interface Distribution {
  readonly bars: readonly Bar[];
  readonly count: number;
  /** Answers that are off the scale or aren't numbers. */
  readonly others: number;
}

/** @param href Leads to the responses with this value. */
export function distribution(
  { id, min = 0, max = 10, nps }: Question,
  answers: readonly Answer[],
  href: (value: string) => string,
): Distribution {
  const mine = answers.filter(({ question }) => question === id);
  const bars = range(min, max).map((label) => {
    const number = mine
      .filter(({ value }) => value !== '' && Number(value) === Number(label))
      .reduce((sum, answer) => sum + answer.number, 0);
    const kind = groupOf(nps, label);
    return { label, tick: label, values: [number], href: href(label), kind };
  });
  const count = bars.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  return { bars, count, others: mine.reduce((sum, { number }) => sum + number, 0) - count };
}

/** Counts in the order of the question's choices. Other answers come last. */
export function choiceCounts(
  { id, choices = [] }: Question,
  answers: readonly Answer[],
): { label: string; number: number; low: number | null; high: number | null; other: boolean }[] {
  const find = (value: string) => answers.find((answer) => answer.question === id && answer.value === value);
  const count = (label: string, value: string, other: boolean) => {
    const { number = 0, low = null, high = null } = find(value) ?? {};
    return { label, number, low, high, other };
  };
  const listed = choices.map((label) => count(label, label, false));
  const others = count('Other answers', '', true);
  return others.number === 0 ? listed : [...listed, others];
}
