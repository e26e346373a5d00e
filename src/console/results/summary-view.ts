// The summary of Results: the main score with its trend, figures, distributions, choices, responses and their rate over time. Pure.
import {
  type Answer,
  type Bins,
  MOST_RATED,
  type Period,
  type Question,
  type ResponseRate,
  type ResultSummary,
  type Score,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { cutAfter, formatNumber, plural } from '../../text.ts';
import { day, figures, shortDay } from '../components.ts';
import { type Asked, askedQuery } from './asked.ts';
import type { PeriodQuestions } from './asked-questions.ts';
import { type Bar, barChart, lineChart, shareBar } from './charts.ts';
import { change, changeOf, formatOf, interval, margin, percent, scaleOf, scoreName } from './figures.ts';

export interface SummaryView {
  readonly summary: ResultSummary;
  readonly rate: ResponseRate;
  readonly questions: PeriodQuestions;
  readonly asked: Asked;
  readonly path: string;
  readonly before: Period | undefined;
}

/** The main score with its trend, and the figures. */
export const summarySection = (view: SummaryView): Html =>
  html`<section aria-labelledby="summary"><h2 id="summary" class="hidden">Summary</h2>
${mainScore(view)}
${smallFigures(view)}
</section>`;

/** All charts but the main score's trend. */
export function chartsSection(view: SummaryView): Html {
  const { asked, others } = view.questions;
  const of = (questions: readonly Question[], type: Question['type']) => questions.filter((question) => question.type === type);
  const main = mainQuestion(view);
  return html`<section aria-labelledby="charts"><h2 id="charts">Answers</h2>
<div class="charts">${of(asked, 'score').map((question) => scoreCharts(view, question, question === main))}${of(asked, 'choice').map((question) => choiceTable(view, question))}${overTime(view.summary)}${rateOverTime(view)}${[
    ...of(others, 'score').map((question) => scoreCharts(view, question, false)),
    ...of(others, 'choice').map((question) => choiceTable(view, question)),
    ...of(others, 'text').map((question) => comments(view, question)),
  ]}</div>
</section>`;
}

/** Links to the responses that answer the question, or that give one of these answers. */
const behind = ({ asked, path }: SummaryView, question: string, answers: readonly string[] = []): string =>
  `${path}${askedQuery({ ...asked, question, answers })}#responses`;

export const NPS_GROUPS = [
  ['Promoters', 9, 10, 'promoter'],
  ['Passives', 7, 8, 'passive'],
  ['Detractors', 0, 6, 'detractor'],
] as const;

/** For example `promoter`. Undefined: the question asks for no NPS. */
export const groupOf = (nps: boolean | undefined, score: unknown) =>
  nps === true ? NPS_GROUPS.find(([, from, to]) => Number(score) >= from && Number(score) <= to)?.[3] : undefined;

export const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** An NPS before an average, and the one that is asked first. Undefined: no score has responses. */
function mainQuestion({ questions: { asked }, summary }: SummaryView): Question | undefined {
  const scored = asked.filter(({ id }) => typeof summary.scores.find(({ question }) => question === id)?.value === 'number');
  return scored.find(({ nps }) => nps === true) ?? scored[0];
}

const scoreFor = ({ summary }: SummaryView, question: Question | undefined) =>
  summary.scores.find((score) => score.question === question?.id);

function mainScore(view: SummaryView): Html | false {
  const question = mainQuestion(view);
  const score = scoreFor(view, question);
  if (question === undefined || score === undefined || score.value === null) return false;
  const format = formatOf(question);
  const ends = interval(score, format, scaleOf(question));
  const changed = changeOf(score, score.before, format);
  const [min, max] = scaleOf(question);
  return html`<div class="card panel hero"><dl><div><dt>${scoreName(question)}${question.nps !== true && `, ${min} to ${max}`}<span class="hidden">: ${question.label}</span></dt>
<dd><strong>${format(score.value)}</strong> ${ends !== '' && html`<span class="dim"><abbr title="95% interval: ${ends}">${margin(score, format)}</abbr></span>`}${changed && html` <span>${changed}</span>`} <span class="dim">${plural(score.responses ?? 0, 'score')}</span></dd></div></dl>
${trend(view, question, score, true)}</div>
${periodNote(view)}`;
}

const periodNote = ({ summary, before }: SummaryView): Html =>
  html`<p class="note">${dayRange(summary.firstDay, summary.lastDay)}${before && `, compared with ${dayRange(before.firstDay, before.lastDay)}`}. ± is the 95% interval: how far a score may be off by chance.</p>`;

function smallFigures(view: SummaryView): Html {
  const { summary } = view;
  const responses = Number(summary.responses);
  const direct = summary.bins.reduce((total, bin) => total + bin.direct, 0);
  const main = mainQuestion(view);
  const score = (question: Question) => {
    const found = scoreFor(view, question);
    if (found === undefined || found.value === null || question === main) return [];
    const format = formatOf(question);
    const [min, max] = scaleOf(question);
    const changed = changeOf(found, found.before, format);
    return [
      {
        name: html`${question.nps === true ? 'NPS' : `Average, ${min} to ${max}`}<span class="hidden">: ${question.label}</span>`,
        value: format(found.value),
        note: html`${margin(found, format)} · ${plural(found.responses ?? 0, 'score')}${changed && html`<br>${changed}`}`,
      },
    ];
  };
  const commented = view.questions.asked.filter(({ type, id }) => type === 'text' && answersTo(summary, id) > 0);
  return figures([
    {
      name: 'Responses',
      value: formatNumber(responses),
      note: html`${formatNumber(responses - direct)} by invitation, ${formatNumber(direct)} direct${summary.responsesBefore !== null && html`<br>${change(responses, Number(summary.responsesBefore), formatNumber)}`}`,
    },
    ...rateFigure(view.rate),
    ...view.questions.asked.filter(({ type }) => type === 'score').flatMap(score),
    ...commented.map(({ id, label }) => ({
      name: html`Comments<span${commented.length === 1 && html` class="hidden"`} dir="auto">: ${cutAfter(label, 40)}</span>`,
      value: formatNumber(answersTo(summary, id)),
      note: `${percent(answersTo(summary, id), responses)}% of responses`,
      href: behind(view, id),
    })),
  ]);
}

/** None under a filter by answers, because invitations have no answers. */
function rateFigure(rate: ResponseRate): { name: string; value: string; note: Html | string }[] {
  if (rate.invited === null) return [];
  const [invited, responded, recent] = [rate.invited, rate.responded, rate.recent].map(Number) as [number, number, number];
  const name = 'Response rate';
  if (invited === 0)
    return [
      {
        name,
        value: '–',
        note:
          recent > 0 ? `${plural(recent, 'invitation')} sent in the last three days: too early to say` : 'no invitations sent',
      },
    ];
  const value = percent(responded, invited);
  const since =
    rate.ratedSince && html`<br>Of the newest ${formatNumber(MOST_RATED)} invitations, accepted since ${day(rate.ratedSince)}`;
  const [invitedBefore, respondedBefore] = [Number(rate.invitedBefore), Number(rate.respondedBefore)];
  return [
    {
      name,
      value: `${value}%`,
      note: html`${formatNumber(responded)} of ${plural(invited, 'invitation')} that ${invited === 1 ? 'was' : 'were'} sent at least three days ago${Number(rate.bounced) > 0 && ` and didn't bounce`}${recent > 0 && html`<br>${formatNumber(recent)} sent since, in neither number`}${since}${invitedBefore > 0 && html`<br>${change(value, percent(respondedBefore, invitedBefore), String, '%')}`}`,
    },
  ];
}

/** @param isMain Whether its trend is shown elsewhere. */
function scoreCharts(view: SummaryView, question: Question, isMain: boolean): Html | false {
  const { summary } = view;
  const { bars, count, others } = distribution(question, summary.answers, (value) => behind(view, question.id, [value]));
  const score = scoreFor(view, question);
  if (count === 0 || score === undefined || score.value === null) return false;
  const format = formatOf(question);
  const shown = `${scoreName(question)} ${format(score.value)}`;
  const ends = interval(score, format, scaleOf(question));
  const most = bars.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0))[0];
  return html`<div class="card panel">${barChart({
    id: `score-${question.id}`,
    title: question.label,
    description: `Distribution of ${plural(count, 'response')}. ${shown}. Most frequent: ${most?.label}.`,
    series: ['Responses'],
    bars,
  })}${question.nps === true && groups(view, question, count)}<p class="note">${shown}${ends !== '' && ` (${ends})`} · ${plural(count, 'response')}${others > 0 && ` · ${formatNumber(others)} not on this scale`}</p>${earlier(view, question)}</div>
${!isMain && trend(view, question, score, false)}`;
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
      : html`, <a href="${path}${askedQuery({ ...asked, period: 'custom', from: summary.firstDay, to })}">until ${dayRange(to, to)}</a>`;
  const lastDay = questions.asked.some((question) => question.id === id) ? undefined : questions.lastDay(id);
  const wordings = questions.earlier(id);
  return html`${wordings.length > 0 && html`<p class="note">Earlier asked as ${wordings.map(({ words, lastDay }, index) => html`${index > 0 && '; '}“${words}”${until(lastDay)}`)}. All are counted together.</p>`}${lastDay !== undefined && html`<p class="note">No longer asked; last asked on ${dayRange(lastDay, lastDay)}.</p>`}`;
}

function groups(view: SummaryView, { id }: Question, count: number): Html {
  const numbers = NPS_GROUPS.map(([name, from, to, kind]) => {
    const values = range(from, to);
    const mine = view.summary.answers.filter(({ question, value }) => question === id && values.includes(value));
    return { name, from, to, kind, values, number: mine.reduce((total, { number }) => total + number, 0) };
  });
  return html`<p class="groups">${numbers.map(({ name, from, to, kind, values, number }) => html`<a href="${behind(view, id, values)}" class="key ${kind}">${name} ${from}–${to}</a> <span>${formatNumber(number)} (${percent(number, count)}%)</span> `)}</p>`;
}

/** The label and the tick of a point that covers some bins. */
function pointTexts({ bins, unit, lastDay }: ResultSummary, { first, last }: Bins): { label: string; tick: string } {
  const from = bins[first - 1]?.day ?? lastDay;
  const next = bins[last]?.day;
  const texts = dayTexts(dateOf(from), unit);
  if (first === last) return texts;
  const to = next === undefined ? lastDay : new Date(dateOf(next).getTime() - 86_400_000).toISOString().slice(0, 10);
  return { label: dayRange(from, to), tick: texts.tick };
}

/** A score of a few responses is noise: each point has at least 30. @param wide Whether it is the main score's. */
function trend(view: SummaryView, question: Question, score: Score, wide: boolean): Html | false {
  const { summary, before } = view;
  if (score.points.length < 2) return wide && html`<p class="note">Too few scores for a trend: each point needs at least 30.</p>`;
  const format = formatOf(question);
  const chart = lineChart({
    id: `trend-${question.id}`,
    title: `${scoreName(question)} over time${wide ? '' : `: ${question.label}`}`,
    description: `${scoreName(question)} with 95% intervals as a band. Each point has at least 30 scores.`,
    points: score.points.map((point) => ({ ...pointTexts(summary, point), ...point })),
    ends: scaleOf(question),
    before:
      typeof score.before?.value === 'number' && before
        ? { label: `${dayRange(before.firstDay, before.lastDay)}:`, value: score.before.value }
        : undefined,
    counted: 'Scores',
    wide,
    format,
  });
  return wide ? chart : html`<div class="card panel">${chart}</div>`;
}

/** In place of a choice: how many answers of several choices there are. Their shares are of that number, and add up to more than 100 %. */
const SEVERAL = ' ';

function choiceTable(view: SummaryView, question: Question): Html | false {
  const counts = choiceCounts(question, view.summary.answers);
  const total =
    question.several === true
      ? (view.summary.answers.find(({ question: id, value }) => id === question.id && value === SEVERAL)?.number ?? 0)
      : counts.reduce((sum, { number }) => sum + number, 0);
  if (total === 0) return false;
  const name = ({ label, other, number }: (typeof counts)[number]) =>
    other || number === 0 ? label : html`<a href="${behind(view, question.id, [label])}">${label}</a>`;
  const inPercent = (share: number) => `${Math.round(100 * share)}`;
  return html`<div class="card panel"><table class="shares">
<caption>${question.label}</caption>
<thead class="hidden"><tr>${['Answer', 'Responses', 'Share', '95% interval'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${counts.map((count) => html`<tr><th scope="row"${count.other && html` class="note"`}>${name(count)}${shareBar(count.number / total)}</th><td>${formatNumber(count.number)}</td><td class="note">${percent(count.number, total)}%</td><td class="note">${count.low !== null && `(${interval(count, inPercent, [0, 1])})`}</td></tr>`)}</tbody>
</table><p class="note">${plural(total, 'response')}${question.several === true && ', each with one or more choices'}; in brackets the 95% interval.</p>${earlier(view, question)}</div>`;
}

function overTime({ bins, unit, responses, firstDay, lastDay }: ResultSummary): Html | false {
  if (Number(responses) === 0) return false;
  return html`<div class="card panel">${barChart({
    id: 'responses-over-time',
    title: `Responses by ${unit}`,
    description: `${plural(Number(responses), 'response')}, ${dayRange(firstDay, lastDay)}.`,
    series: ['by invitation', 'direct'],
    bars: bins.map(({ day, invitation, direct }) => ({
      ...dayTexts(new Date(`${day}T00:00:00Z`), unit),
      values: [invitation, direct],
    })),
  })}</div>`;
}

function rateOverTime({ rate, summary }: SummaryView): Html | false {
  const { points, invited, responded } = rate;
  const shown = (points ?? []).filter((point) => point.invited > 0);
  if (shown.length < 2) return false;
  return html`<div class="card panel">${lineChart({
    id: 'rate',
    title: 'Response rate by the day sent',
    description: `${percent(Number(responded), Number(invited))}% overall, with 95% intervals as a band. Invitations of the last three days are left out.`,
    points: shown.map((point) => ({
      ...pointTexts(summary, point),
      value: (100 * point.responded) / point.invited,
      low: point.low === null ? null : 100 * point.low,
      high: point.high === null ? null : 100 * point.high,
      responses: point.invited,
    })),
    ends: [0, 100],
    counted: 'Invitations',
    format: (value) => `${Math.round(value)}%`,
  })}</div>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Unit = ResultSummary['unit'];

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** For example `3 Nov to 9 Nov 2026`, with the years where they differ from this one's. */
export function dayRange(from: string, to: string): string {
  const sameYear = from.slice(0, 4) === to.slice(0, 4);
  const text = (day: string, year: boolean) => `${shortDay(dateOf(day))}${year ? ` ${day.slice(0, 4)}` : ''}`;
  return from === to ? text(to, true) : `${text(from, !sameYear)} to ${text(to, true)}`;
}

function dayTexts(day: Date, period: Unit): { label: string; tick: string } {
  const iso = day.toISOString();
  const year = iso.slice(0, 4);
  if (period === 'year') return { label: year, tick: year };
  const month = MONTHS[day.getUTCMonth()] ?? '';
  if (period === 'month') return { label: `${month} ${year}`, tick: day.getUTCMonth() === 0 ? year : month };
  return { label: `${period === 'week' ? 'Week of ' : ''}${shortDay(day)} ${year}`, tick: shortDay(day) };
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
