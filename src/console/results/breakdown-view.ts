// The breakdown of Results: a line for each value of a metadata key, each choice, language, trigger token or month. Pure.
import {
  type BreakdownLine,
  type Estimate,
  MOST_RATED,
  type Question,
  type ResultCondition,
  type ResultSummary,
} from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { formatNumber } from '../../text.ts';
import { type Column, day, NONE, segments, table } from '../components.ts';
import { type Asked, askedQuery, type BreakdownPart, type BreakdownSort } from './asked.ts';
import { rangeMark } from './charts.ts';
import { mergeConditions, type Offers, partLabel, partText, valueLabel } from './conditions.ts';
import { compare, formatOf, interval, margin, scaleOf, scoreName } from './figures.ts';

/** A group with fewer responses is marked. */
const FEW = 10;

export interface BreakdownView {
  readonly asked: Asked;
  readonly offers: Offers;
  /** Undefined: none is asked for. */
  readonly breakdown: readonly BreakdownLine[] | undefined;
  readonly questions: readonly Question[];
  /** The page of the Results. */
  readonly path: string;
  readonly summary: ResultSummary;
}

const labelOf = (by: BreakdownPart, offers: Offers): string => (by.dimension === 'month' ? 'Month' : partLabel(by, offers));
const isSame = (one: BreakdownPart, other: BreakdownPart | undefined) =>
  one.dimension === other?.dimension && one.key === other.key;

export function breakdownSection(view: BreakdownView): Html {
  const { asked, offers, breakdown, path } = view;
  const offered: BreakdownPart[] = [
    ...offers.metadata.map(({ key }) => ({ dimension: 'metadata', key }) as const),
    ...offers.choices.map(({ id }) => ({ dimension: 'answer', key: id }) as const),
    ...(offers.languages.length > 0 ? [{ dimension: 'language' } as const] : []),
    ...(offers.tokens.length > 1 ? [{ dimension: 'token' } as const] : []),
    { dimension: 'month' },
  ];
  const { by } = asked;
  if (by !== undefined && !offered.some((part) => isSame(part, by))) offered.push(by);
  const link = (part: BreakdownPart) => ({
    href: `${path}${askedQuery({ ...asked, by: part, sort: '' })}#breakdown`,
    content: labelOf(part, offers),
    current: isSame(part, by),
  });
  return html`<section aria-labelledby="breakdown"><h2 id="breakdown">Breakdown</h2>
<div class="bar">${segments('Broken down by', [...(by === undefined ? [] : [{ href: `${path}${askedQuery({ ...asked, by: undefined, scoreBy: undefined, sort: '' })}`, content: 'None', current: false }]), ...offered.map(link)])}</div>
${breakdown !== undefined && by !== undefined && lines(view, breakdown, by)}
</section>`;
}

/** The score that is broken down, as result_breakdown chooses it. */
function scoreOf({ questions, asked }: BreakdownView): Question | undefined {
  const scores = questions.filter(({ type }) => type === 'score');
  return scores.find(({ id }) => id === asked.scoreBy) ?? scores.find(({ nps }) => nps === true) ?? scores[0];
}

function lines(view: BreakdownView, breakdown: readonly BreakdownLine[], by: BreakdownPart): Html {
  const { asked, path, questions, summary, offers } = view;
  const question = scoreOf(view);
  const all = summary.scores.find((score) => score.question === question?.id);
  const scores = questions.filter(({ type }) => type === 'score');
  const rated = breakdown.some(({ invited }) => invited !== null);
  const sorted = sortLines(breakdown, by, asked.sort);
  const sortLink = (sort: BreakdownSort, content: string) => ({
    href: `${path}${askedQuery({ ...asked, sort })}#breakdown`,
    content,
    current: asked.sort === sort,
  });
  const columns: Column[] = [
    labelOf(by, offers),
    ['Responses', 'number'],
    ...(question === undefined
      ? []
      : ([[scoreName(question), 'number'], ['95% interval', 'wide'], 'Compared with all'] as const)),
    ...(rated ? [['Response rate', 'number'] as const] : []),
  ];
  const scale = rangeOf([...breakdown.map(({ score }) => score), all ?? null]);
  const row = (line: BreakdownLine) => [
    nameOf(view, line, by),
    formatNumber(Number(line.responses)),
    ...(question === undefined ? [] : scoreCells(line.score, all, question, scale)),
    ...(rated ? [rateCell(line)] : []),
  ];
  return html`<div class="bar">${
    scores.length > 1 &&
    segments(
      'Score',
      scores.map((score) => ({
        href: `${path}${askedQuery({ ...asked, scoreBy: score.id })}#breakdown`,
        content: score.label,
        current: score.id === question?.id,
      })),
    )
  }${segments('Sorted by', [
    ...(by.dimension === 'month'
      ? [sortLink('', 'Newest month')]
      : question === undefined
        ? []
        : [sortLink('', `Lowest ${scoreName(question)}`), sortLink('highest', `Highest ${scoreName(question)}`)]),
    sortLink('responses', 'Most responses'),
    ...(rated ? [sortLink('rate', 'Lowest rate')] : []),
    ...(by.dimension === 'month' ? [] : [sortLink('name', 'Name')]),
  ])}</div>
${table(`Results by ${labelOf(by, offers)}`, columns, sorted.map(row))}
${breakdown.every(({ kind }) => kind !== 'value') && breakdown.some(({ kind }) => kind === 'others') && html`<p class="note">Nearly every response has a value of its own here, so they are together in one line.</p>`}
<p class="note">${question !== undefined && html`“Lower” and “higher” mean that chance alone hardly explains the difference (95%). Groups of fewer than ${FEW} responses say little. `}${rated && rateNote(breakdown[0]?.ratedSince ?? null)}</p>`;
}

const rateNote = (since: Date | null): string =>
  `Response rate: of ${since === null ? 'the invitations' : `the newest ${formatNumber(MOST_RATED)} invitations, accepted since ${day(since)},`} that were sent at least three days ago, and didn’t bounce; younger ones are in neither number.`;

function sortLines(lines: readonly BreakdownLine[], by: BreakdownPart, sort: BreakdownSort): BreakdownLine[] {
  const last = Number.POSITIVE_INFINITY;
  const kinds = ['value', 'others', 'none'];
  const order: Record<BreakdownSort, (line: BreakdownLine) => number> = {
    '': ({ score }) => score?.value ?? last,
    highest: ({ score }) => -(score?.value ?? -last),
    responses: ({ responses }) => -Number(responses),
    rate: ({ rate }) => rate?.value ?? last,
    name: () => 0,
  };
  const byName = by.dimension === 'month' ? -1 : 1;
  const first = by.dimension === 'month' && sort === '' ? () => 0 : order[sort];
  const few = ({ responses }: BreakdownLine) =>
    Number(sort !== 'responses' && sort !== 'name' && by.dimension !== 'month' && Number(responses) < FEW);
  return lines.toSorted(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      few(a) - few(b) ||
      (first(a) === first(b) ? 0 : first(a) - first(b)) ||
      byName * (a.part ?? '').localeCompare(b.part ?? '', 'en', { numeric: true }),
  );
}

/** The name of the group, with a link that selects its responses. */
function nameOf(view: BreakdownView, line: BreakdownLine, by: BreakdownPart): Html {
  const { asked, breakdown = [], path, offers } = view;
  const part = line.part ?? '';
  if (by.dimension === 'month') {
    const [from, to] = monthOf(part, view.summary);
    return html`<a href="${path}${askedQuery({ ...asked, period: 'custom', from, to, by: undefined, sort: '' })}">${monthName(part)}</a>`;
  }
  const values = breakdown.flatMap(({ part }) => (part === null ? [] : [part]));
  const narrowed: Record<BreakdownLine['kind'], ResultCondition[]> = {
    value: [{ ...by, values: [part] }],
    others: values.length === 0 ? [by] : [by, { ...by, values, excludes: true }],
    none: [{ ...by, excludes: true }],
  };
  const others = asked.conditions.filter((condition) => condition.excludes || partText(condition) !== partText(by));
  const conditions = mergeConditions([...others, ...narrowed[line.kind]]);
  const label = {
    value: part === '' ? 'Empty' : valueLabel(by, part, offers),
    others: 'All others',
    none: by.dimension === 'answer' ? 'No answer' : `No ${labelOf(by, offers)}`,
  };
  return html`<a href="${path}${askedQuery({ ...asked, conditions, by: undefined, scoreBy: undefined, sort: '' })}" dir="auto">${label[line.kind]}</a>${Number(line.responses) < FEW && html`<span class="sub">fewer than ${FEW} responses</span>`}`;
}

/** The first and last day of a month, within the period that is shown. */
function monthOf(month: string, { firstDay, lastDay }: ResultSummary): [first: string, last: string] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return [`${month}-01` < firstDay ? firstDay : `${month}-01`, last > lastDay ? lastDay : last];
}

const monthName = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const COMPARED = { lower: 'Lower', higher: 'Higher', none: 'No clear difference' } as const;

function scoreCells(
  score: Estimate | null,
  all: Estimate | undefined,
  question: Question,
  scale: readonly [number, number],
): (Html | string)[] {
  if (score === null || score.value === null) return [NONE, NONE, NONE];
  const format = formatOf(question);
  const kind = all === undefined ? 'none' : compare(score, all);
  const few = (score.responses ?? 0) < FEW;
  return [
    html`<strong>${format(score.value)}</strong> <span class="note">${!few && margin(score, format)}</span>`,
    html`<span class="hidden">${interval(score, format, scaleOf(question))}</span>${rangeMark(score, all?.value ?? null, scale)}`,
    few ? html`<span class="dim">Too few to say</span>` : html`<span class="compared ${kind}">${COMPARED[kind]}</span>`,
  ];
}

/** A common axis for all intervals. Those of few responses don't widen it. */
function rangeOf(scores: readonly (Estimate | null)[]): readonly [number, number] {
  const shown = scores.filter((score) => score !== null && score.value !== null);
  const enough = shown.filter((score) => (score?.responses ?? 0) >= FEW);
  const ends = (enough.length > 0 ? enough : shown).flatMap((score) => [
    score?.low ?? score?.value ?? 0,
    score?.high ?? score?.value ?? 0,
  ]);
  return [Math.min(...ends, Number.POSITIVE_INFINITY), Math.max(...ends, Number.NEGATIVE_INFINITY)];
}

function rateCell({ invited, rate }: BreakdownLine): Html {
  if (rate === null || rate.value === null) return NONE;
  return html`${Math.round(100 * rate.value)}%<span class="sub">${margin({ value: 100 * rate.value, low: 100 * (rate.low ?? 0), high: 100 * (rate.high ?? 0) }, (value) => String(Math.round(value)))} of ${formatNumber(Number(invited))}</span>`;
}
