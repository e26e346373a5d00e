// The Results in numbers and pictures: responses, response rate, both over time, and what was answered to each question. Pure.
import { type Question, type ResultSummary, SUMMARY_RESPONSES } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { barChart, shareBar } from './charts.ts';
import { choiceCounts, distribution, timeBars } from './series.ts';

/** 12345 → 12,345. */
const grouped = (number: number): string => number.toLocaleString('en-US');
const percent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((100 * part) / whole));
const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

export function summarySection(summary: ResultSummary, questions: readonly Question[]): Html {
  const { answers } = summary;
  const scores = questions.filter(({ type }) => type === 'score').map((question, index) => scoreChart(question, answers, index));
  const choices = questions.filter(({ type }) => type === 'choice').map((question) => choiceTable(question, answers));
  return html`<section aria-labelledby="summary"><h2 id="summary" class="hidden">Summary</h2>
${tiles(summary)}
<div class="charts">${scores}${choices}${overTime(summary)}${rateOverTime(summary)}</div>
</section>`;
}

function tiles({ responses, looked, invited, responded, sentCapped }: ResultSummary): Html {
  const total = Number(responses ?? looked);
  const partial = looked < total || (responses === null && looked >= SUMMARY_RESPONSES);
  const tile = (label: string, number: string, note: string | false) =>
    html`<div class="tile"><dt>${label}</dt><dd><strong>${number}</strong>${note && html` <span class="note">${note}</span>`}</dd></div>`;
  return html`<dl class="tiles">
${tile(responses === null ? 'Responses found' : 'Responses', grouped(total), partial && `numbers and charts are of the newest ${grouped(looked)}`)}
${invited !== null && responded !== null && tile('Response rate', invited === 0 ? '–' : `${percent(responded, invited)} %`, invited === 0 ? 'no invitation has been sent yet' : `${grouped(responded)} of ${sentCapped ? 'the newest ' : ''}${plural(invited, 'sent invitation')}`)}
</dl>`;
}

function scoreChart(question: Question, answers: ResultSummary['answers'], index: number): Html | false {
  const { bars, count, average, others } = distribution(question, answers);
  if (average === null) return false;
  const shown = average.toFixed(1);
  const most = bars.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))[0];
  return html`<div class="panel">${barChart({
    id: `score-${index}`,
    title: question.label,
    description: `Distribution of ${plural(count, 'score')}: the average is ${shown}, the most frequent is ${most?.label}.`,
    series: ['Responses'],
    bars,
  })}<p class="note">Average ${shown} of ${plural(count, 'score')}${others > 0 && `; ${grouped(others)} not on this scale`}</p></div>`;
}

function choiceTable(question: Question, answers: ResultSummary['answers']): Html | false {
  const counts = choiceCounts(question, answers);
  const total = counts.reduce((sum, { number }) => sum + number, 0);
  if (total === 0) return false;
  return html`<div class="panel"><table class="shares">
<caption>${question.label}</caption>
<thead class="hidden"><tr><th scope="col">Answer</th><th scope="col">Responses</th></tr></thead>
<tbody>${counts.map(({ label, number, other }) => html`<tr><th scope="row"${other && html` class="note"`}>${label}${shareBar(number / total)}</th><td>${grouped(number)} <span class="note">${percent(number, total)} %</span></td></tr>`)}</tbody>
</table></div>`;
}

function overTime({ days, looked }: ResultSummary): Html | false {
  if (looked === 0) return false;
  const { period, bars } = timeBars(days.map(({ day, invitation, direct }) => ({ day, numbers: [invitation, direct] })));
  return html`<div class="panel">${barChart({
    id: 'responses',
    title: `Responses by ${period}`,
    description: `${plural(looked, 'response')} from ${days[0]?.day} to ${days.at(-1)?.day} (UTC).`,
    series: ['by invitation', 'direct'],
    bars,
  })}</div>`;
}

/** Of the invitations that were sent in a period, the share that has been answered by now. */
function rateOverTime({ sentDays, invited, responded }: ResultSummary): Html | false {
  if (sentDays === null || !invited) return false;
  const { period, bars } = timeBars(
    sentDays.map((one) => ({ day: one.day, numbers: [one.responded, one.invited] })),
    ([answered = 0, sent = 0]) => [percent(answered, sent)],
  );
  return html`<div class="panel">${barChart({
    id: 'rate',
    title: `Response rate by the ${period} of the invitation`,
    description: `${percent(responded ?? 0, invited)} % in all; invitations sent from ${sentDays[0]?.day} to ${sentDays.at(-1)?.day} (UTC).`,
    series: ['Answered'],
    bars,
    unit: '%',
    top: 100,
  })}</div>`;
}
