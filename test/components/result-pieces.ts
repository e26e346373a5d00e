// The pieces of Results, with figures of millions, few and none, and with names in all scripts.
import { readAsked } from '../../src/console/results/asked.ts';
import { questionsOf, wordingsOf } from '../../src/console/results/asked-questions.ts';
import { barChart, lineChart, rangeMark, shareBar } from '../../src/console/results/charts.ts';
import { signed } from '../../src/console/results/figures.ts';
import { chip, responsesTable } from '../../src/console/results/responses-view.ts';
import type { ResultsView } from '../../src/console/results/results-view.ts';
import type { AskedQuestions, BreakdownLine, Question, Result, ResultSummary } from '../../src/database/store.ts';
import { html } from '../../src/html/html.ts';
import { NOW, SURVEY } from './frames.ts';
import type { Piece } from './pieces.ts';
import { ADDRESS, ARABIC, MILLIONS, SCRIPTS, TITLE, UNBROKEN } from './texts.ts';

const NPS: Question = { id: 'score', type: 'score', label: 'How likely are you to recommend us to a friend?', nps: true };
const STARS: Question = { id: 'stars', type: 'score', label: TITLE, min: 1, max: 5, stars: true };
const CHOICE: Question = { id: 'delivery', type: 'choice', label: ARABIC, choices: ['Quick', TITLE, ARABIC] };
const COMMENT: Question = { id: 'comment', type: 'text', label: 'What could we do better?' };
const QUESTIONS = [NPS, STARS, CHOICE, COMMENT];
const VERSIONS: AskedQuestions[] = [{ version: 1, questions: QUESTIONS, replacedAt: null }];

const DAYS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, 8, 1 + index * 7)).toISOString().slice(0, 10));
const points = DAYS.map((_, index) => ({
  ...{ first: index + 1, last: index + 1, value: 10 + ((index * 37) % 60) - 30, responses: MILLIONS },
  ...{ low: ((index * 37) % 60) - 32, high: ((index * 37) % 60) - 8 },
}));
const estimate = { value: -3, low: -12, high: 6, responses: MILLIONS };
const SUMMARY: ResultSummary = {
  ...{ responses: String(MILLIONS), responsesBefore: '987654', firstDay: '2026-09-01', lastDay: '2026-11-25', unit: 'week' },
  bins: DAYS.map((day, index) => ({ day, invitation: (MILLIONS * (1 + (index % 5))) / 7, direct: index * 10_000 })),
  answers: [
    ...Array.from({ length: 11 }, (_, value) => ({
      question: 'score',
      value: String(value),
      number: 1000 * value * value,
      low: null,
      high: null,
    })),
    ...Array.from({ length: 5 }, (_, value) => ({
      question: 'stars',
      value: String(value + 1),
      number: MILLIONS,
      low: null,
      high: null,
    })),
    ...['Quick', TITLE, ARABIC, ''].map((value, index) => ({
      question: 'delivery',
      value,
      number: MILLIONS * index,
      low: 0.1,
      high: 0.2,
    })),
    { question: 'comment', value: '', number: MILLIONS, low: null, high: null },
  ],
  scores: [
    { ...estimate, question: 'score', before: { ...estimate, value: 4 }, points },
    { ...estimate, question: 'stars', value: 4.4, low: 4.2, high: 4.6, before: null, points: [] },
  ],
};
const GROUPS = ['NO', TITLE, ARABIC, '山田 太郎', UNBROKEN, ''];
const BREAKDOWN: BreakdownLine[] = [
  ...GROUPS.map((part, index) => ({
    ...{ part, kind: 'value' as const, responses: String(index === 4 ? 3 : MILLIONS), invited: String(MILLIONS * 4) },
    score: { value: index * 20 - 50, low: index * 20 - 58, high: index * 20 - 41, responses: index === 4 ? 3 : MILLIONS },
    rate: { value: 0.23, low: 0.22, high: 0.24, responses: MILLIONS },
    ratedSince: null,
  })),
  { part: null, kind: 'others', responses: '12', score: null, invited: null, rate: null, ratedSince: null },
  { part: null, kind: 'none', responses: '0', score: null, invited: null, rate: null, ratedSince: null },
];

const result = (index: number, answers: Result['answers'], person: Partial<Result> = {}): Result => ({
  ...{ id: String(index), submittedAt: new Date(NOW.getTime() - index * 5_000_000), answers, attribution: 'invitation' },
  ...{ invitationId: '1', batchId: null, email: ADDRESS, name: null, metadata: { country: 'NO', order_id: UNBROKEN } },
  ...{ questionsVersion: 1, erasedAt: null, language: null, clickedInEmail: null, ...person },
});
const RESULTS: Result[] = [
  result(1, { score: 10, comment: 'It arrived a day early, and well packed.' }, { name: UNBROKEN }),
  result(2, { score: 0, comment: TITLE.repeat(2), delivery: 'Quick' }, { clickedInEmail: 'score' }),
  result(3, { score: 7, comment: ARABIC }, { name: SCRIPTS[0] ?? null }),
  result(4, { delivery: TITLE }, { attribution: 'direct', invitationId: null }),
  result(5, {}, { erasedAt: NOW, email: null }),
  ...SCRIPTS.map((name, index) => result(6 + index, { score: 9 - index, comment: UNBROKEN }, { name })),
];
const listed = {
  ...{ questions: QUESTIONS, wordings: wordingsOf(VERSIONS), chosen: [], named: true, path: '#', now: NOW },
};

export const RESULTS_VIEW: ResultsView = {
  ...{
    survey: SURVEY,
    questions: QUESTIONS,
    wordings: wordingsOf(VERSIONS),
    results: RESULTS,
    more: true,
    zone: 'Europe/Vienna',
    now: NOW,
  },
  ...{ periodQuestions: questionsOf(VERSIONS, undefined, 'UTC'), knownKeys: ['country', TITLE] },
  asked: {
    ...readAsked(new URLSearchParams('period=90&value=x')),
    by: { dimension: 'metadata', key: TITLE } as const,
    conditions: [{ dimension: 'metadata', key: TITLE, values: [ARABIC] }] as const,
  },
  periods: {
    period: { firstDay: '2026-09-01', lastDay: '2026-11-25', zone: 'Europe/Vienna' },
    before: { firstDay: '2026-06-01', lastDay: '2026-08-31', zone: 'Europe/Vienna' },
  },
  numbers: {
    summary: SUMMARY,
    rate: {
      ...{ invited: '5000000', responded: String(MILLIONS), bounced: '12345', recent: '9876', invitedBefore: '4000000' },
      respondedBefore: '900000',
      points: points.map(({ first, last }) => ({ first, last, invited: 1000, responded: 200 + first, low: 0.18, high: 0.26 })),
      ratedSince: new Date('2026-10-09T00:00:00Z'),
    },
  },
  breakdown: BREAKDOWN,
  offers: { metadata: [{ key: TITLE, values: [UNBROKEN, ARABIC] }], languages: ['de', 'ar'], tokens: [], choices: [] },
};

const bars = (count: number, value: (index: number) => number, kinds = false) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ label: `Label ${index}`, tick: String(index), values: [value(index)], href: '#' },
    kind: kinds ? (['detractor', 'passive', 'promoter'] as const)[index % 3] : undefined,
  }));
const chart = (id: string, more: Partial<Parameters<typeof barChart>[0]> = {}) =>
  html`<div class="card panel">${barChart({ id, title: 'Responses by week', description: 'A sample.', series: ['Responses'], bars: bars(11, (index) => index * 7), ...more })}</div>`;
const line = (id: string, more: Partial<Parameters<typeof lineChart>[0]> = {}) =>
  html`<div class="card panel">${lineChart({ id, title: 'NPS over time', description: 'A sample.', points: SUMMARY.scores[0]?.points.map((point, index) => ({ ...point, label: DAYS[index] ?? '', tick: DAYS[index]?.slice(5) ?? '' })) ?? [], ends: [-100, 100], format: signed, ...more })}</div>`;

export const resultPieces: Piece[] = [
  {
    title: 'Bar charts',
    file: 'console/results/charts.ts',
    states: {
      plain: chart('bars'),
      focus: chart('bars-focus'),
      'by group': chart('bars-groups', { bars: bars(11, (index) => index * 7, true) }),
      'two series': chart('bars-two', {
        series: ['by invitation', 'direct'],
        bars: bars(60, (index) => index).map((bar) => ({ ...bar, values: [4, 9] })),
      }),
      millions: chart('bars-millions', { bars: bars(6, (index) => MILLIONS * index) }),
      'one bar': chart('bars-one', { bars: bars(1, () => 1) }),
      none: chart('bars-none', { bars: [] }),
      'long text': chart('bars-long', { title: TITLE, bars: bars(3, () => 5).map((bar) => ({ ...bar, label: UNBROKEN })) }),
    },
  },
  {
    title: 'Line charts',
    file: 'console/results/charts.ts',
    states: {
      wide: line('line', { wide: true, before: { label: '1 Jun to 31 Aug 2026:', value: 4 } }),
      focus: line('line-focus'),
      'with a gap': line('line-gap', {
        points: DAYS.map((day, index) => ({
          label: day,
          tick: day.slice(5),
          value: index === 5 ? null : index,
          low: null,
          high: null,
          responses: index,
        })),
      }),
      'one point': line('line-one', {
        points: [{ label: 'Nov 2026', tick: 'Nov', value: 0, low: null, high: null, responses: 1 }],
      }),
    },
  },
  {
    title: 'Score chips',
    file: 'console/results/responses-view.ts',
    states: {
      NPS: html`<p class="list">${Array.from({ length: 11 }, (_, value) => chip('#', NPS, value))}</p>`,
      others: html`<p class="list">${chip('#', STARS, 4)}${chip('#', STARS, -12_345)}${chip('#', NPS, undefined)}${chip('#', undefined, undefined)}</p>`,
      hover: chip('#', NPS, 9),
      focus: chip('#', NPS, 9),
    },
  },
  {
    title: 'Rows of responses',
    file: 'console/results/responses-view.ts',
    states: {
      plain: responsesTable({ ...listed, results: RESULTS }),
      'chosen columns': responsesTable({ ...listed, results: RESULTS.slice(0, 3), chosen: ['country', 'order_id'] }),
      'for viewers': responsesTable({ ...listed, results: RESULTS.slice(0, 2), named: false }),
    },
  },
  {
    title: 'Shares and ranges',
    file: 'console/results/charts.ts',
    states: {
      shares: html`${[0, 0.004, 0.5, 1].map(shareBar)}`,
      ranges: html`${[-90, 0, 100].map((value) => rangeMark({ value, low: value - 20, high: value + 20 }, 10, [-100, 100]))}`,
    },
  },
];
