// Charts and their data: days that share a bar, distributions, choices, SVG.
import t from 'tap';
import { barChart, roundUp } from '../../src/console/results/charts.ts';
import { choiceCounts, distribution, timeBars } from '../../src/console/results/summary-view.ts';

const days = (...given: [day: string, ...numbers: number[]][]) => given.map(([day, ...numbers]) => ({ day, numbers }));

t.test('the top and the middle of a scale are round numbers', async (t) => {
  t.strictSame([0, 1, 2, 3, 5, 7, 9, 11, 45, 61, 99, 101, 1234].map(roundUp), [1, 1, 2, 4, 6, 8, 10, 20, 60, 80, 100, 200, 2000]);
});

t.test('days without a response have a bar of nothing', async (t) => {
  const { period, bars } = timeBars(days(['2030-01-30', 1, 0], ['2030-02-02', 2, 3]));
  t.equal(period, 'day');
  t.strictSame(
    bars.map(({ label, values }) => [label, ...values]),
    [
      ['2030-01-30', 1, 0],
      ['2030-01-31', 0, 0],
      ['2030-02-01', 0, 0],
      ['2030-02-02', 2, 3],
    ],
  );
});

t.test('many days are grouped by week (from Monday), month or year, in at most 31 bars', async (t) => {
  const shown = (first: string, last: string) => {
    const { period, bars } = timeBars(days([first, 1], [last, 1]));
    t.ok(bars.length <= 31, `${bars.length} bars`);
    t.equal(
      bars.reduce((total, { values }) => total + (values[0] ?? 0), 0),
      2,
      'each response is in one of them',
    );
    return [period, bars[0]?.label, bars.at(-1)?.label];
  };
  t.strictSame(shown('2030-01-01', '2030-01-30'), ['day', '2030-01-01', '2030-01-30']);
  t.strictSame(shown('2030-01-01', '2030-01-31'), ['week', 'Week of 2029-12-31', 'Week of 2030-01-28']);
  t.strictSame(shown('2030-01-01', '2030-07-29'), ['week', 'Week of 2029-12-31', 'Week of 2030-07-29']);
  t.strictSame(shown('2030-01-31', '2031-02-01'), ['month', 'Jan 2030', 'Feb 2031']);
  t.strictSame(shown('2030-01-01', '2040-01-01'), ['year', '2030', '2040']);
  t.strictSame(timeBars([]).bars, []);
});

t.test("the rate of a period divides its sums, and isn't the mean of its days", async (t) => {
  const { bars } = timeBars(days(['2030-01-01', 1, 1], ['2030-01-02', 0, 3], ['2030-03-31', 0, 0]), ([a = 0, b = 0]) => [a / b]);
  t.equal(bars[0]?.values[0], 0.25);
});

const score = { id: 's', type: 'score', label: 'Score' } as const;

t.test('each score has a bar, with an average; answers off the scale are counted separately', async (t) => {
  const found = distribution({ ...score, min: 1, max: 3 }, [
    { question: 's', value: '1', number: 2 },
    { question: 's', value: '3', number: 1 },
    { question: 's', value: '7', number: 4 },
    { question: 's', value: null, number: 1 },
    { question: 'other', value: '2', number: 9 },
  ]);
  t.match(found, { count: 3, average: 5 / 3, others: 5 });
  t.strictSame(
    found.bars.map(({ label, values }) => [label, values[0]]),
    [
      ['1', 2],
      ['2', 0],
      ['3', 1],
    ],
  );
  t.equal(distribution(score, []).average, null);
});

t.test('a long scale is grouped, and nothing is lost', async (t) => {
  const answers = Array.from({ length: 101 }, (_, value) => ({ question: 's', value: String(value), number: 1 }));
  const { bars } = distribution({ ...score, min: 0, max: 100 }, answers);
  t.equal(bars.length, 21);
  t.strictSame([bars[0]?.label, bars[0]?.values, bars.at(-1)?.label, bars.at(-1)?.values], ['0–4', [5], '100', [1]]);
});

t.test('choices follow the order of the question; other answers come last', async (t) => {
  const choice = { id: 'c', type: 'choice', label: 'Plan', choices: ['free', 'pro'] } as const;
  const pro = { question: 'c', value: 'pro', number: 2 };
  t.strictSame(
    choiceCounts(choice, [pro]).map(({ label, number }) => [label, number]),
    [
      ['free', 0],
      ['pro', 2],
    ],
  );
  t.match(choiceCounts(choice, [pro, { question: 'c', value: null, number: 1 }]).at(-1), { number: 1, other: true });
});

t.test('a chart has a name, a description, a table of its numbers, and no inline style', async (t) => {
  const text = barChart({
    id: 'x',
    title: 'A <b> & "c"',
    description: 'What it shows',
    series: ['one', 'two'],
    bars: [
      { label: 'first', tick: '1', values: [3, 1] },
      { label: 'second', tick: '2', values: [0, 0] },
    ],
  }).toString();
  t.match(text, /<svg role="img" aria-labelledby="x-title x-desc"/);
  t.match(text, '<title id="x-title">A &#60;b&#62; &#38; &#34;c&#34;</title><desc id="x-desc">What it shows</desc>');
  t.match(text, /<th scope="row">first<\/th><td>3<\/td><td>1<\/td>/);
  t.notMatch(text, /style=|<b>/);
  const heights = [...text.matchAll(/<rect class="bar (s\d)"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)];
  t.equal(heights.length, 2, 'nothing is drawn for 0');
  const [[, , y1, h1], [, , y2, h2]] = heights as unknown as [string[], string[]];
  t.equal(Number(h1), 3 * Number(h2), 'heights are in proportion');
  t.equal(Number(y2) + Number(h2), Number(y1), 'the second stands on the first');
});

t.test('ticks are left out so that none overlaps another, and every number is finite', async (t) => {
  const chart = (count: number) =>
    barChart({
      id: 'x',
      title: 'T',
      description: 'D',
      series: ['one'],
      bars: Array.from({ length: count }, (_, index) => ({ label: 'l', tick: '28 Oct', values: [index] })),
    }).toString();
  const ticks = (count: number) => [...chart(count).matchAll(/ x="([\d.]+)"[^>]*>28 Oct</g)].map(([, x]) => Number(x));
  t.equal(ticks(3).length, 3, 'a few bars have a tick each');
  const many = ticks(31);
  t.ok(many.length >= 5 && many.length <= 7, `${many.length} of 31`);
  for (const [index, x] of many.slice(1).entries()) t.ok(x - (many[index] ?? 0) >= 40, 'there is space for the text');
  for (const count of [0, 1, 31]) t.notMatch(chart(count), /NaN|Infinity/);
});
