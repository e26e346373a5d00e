// The charts and their data: distributions, choices and SVG.
import t from 'tap';
import { barChart, lineChart, roundUp, scaleLines } from '../../src/console/results/charts.ts';
import { choiceCounts, distribution } from '../../src/console/results/summary-view.ts';

t.test('the top and the middle of a scale are round numbers', async (t) => {
  t.strictSame([0, 1, 2, 3, 5, 7, 9, 11, 45, 61, 99, 101, 1234].map(roundUp), [1, 1, 2, 4, 6, 8, 10, 20, 60, 80, 100, 200, 2000]);
});

t.test('a scale is that of the data: at most five lines at round numbers, within what there can be', async (t) => {
  t.strictSame(scaleLines([-12, 31], [-100, 100]), [-20, 0, 20, 40]);
  t.strictSame(scaleLines([3.9, 4.3], [1, 5]), [3.9, 4, 4.1, 4.2, 4.3]);
  t.strictSame(scaleLines([-100, 100], [-100, 100]), [-100, -50, 0, 50, 100]);
  t.strictSame(scaleLines([7, 7], [0, 10]), [7, 7.1]);
  for (const [low, high] of [
    [22, 23],
    [0, 100],
    [-7.3, 64.9],
  ] as const) {
    const lines = scaleLines([low, high], [-100, 100]);
    t.ok((lines[0] ?? 0) <= low && (lines.at(-1) ?? 0) >= high && lines.length <= 5, `${lines}`);
  }
});

const score = { id: 's', type: 'score', label: 'Score' } as const;
const given = (question: string, value: string, number: number) => ({ question, value, number, low: null, high: null });
const href = (value: string) => `/results?answer=${value}`;

t.test('each score has a bar that leads to its responses; answers off the scale are counted separately', async (t) => {
  const answers = [given('s', '1', 2), given('s', '3', 1), given('s', '7', 4), given('s', '', 1), given('other', '2', 9)];
  const found = distribution({ ...score, min: 1, max: 3 }, answers, href);
  t.match(found, { count: 3, others: 5 });
  t.strictSame(
    found.bars.map(({ label, values, href, kind }) => [label, values[0], href, kind]),
    [
      ['1', 2, '/results?answer=1', undefined],
      ['2', 0, '/results?answer=2', undefined],
      ['3', 1, '/results?answer=3', undefined],
    ],
  );
});

t.test('only the bars of an NPS say who is a promoter', async (t) => {
  const kinds = (nps: boolean) => distribution({ ...score, nps }, [], href).bars.map(({ kind }) => kind);
  t.strictSame(kinds(true), [...Array(7).fill('detractor'), 'passive', 'passive', 'promoter', 'promoter']);
  t.ok(kinds(false).every((kind) => kind === undefined));
});

t.test('choices follow the order of the question; other answers come last', async (t) => {
  const choice = { id: 'c', type: 'choice', label: 'Plan', choices: ['free', 'pro'] } as const;
  const pro = { ...given('c', 'pro', 2), low: 0.2, high: 0.9 };
  t.strictSame(
    choiceCounts(choice, [pro]).map(({ label, number, low, high }) => [label, number, low, high]),
    [
      ['free', 0, null, null],
      ['pro', 2, 0.2, 0.9],
    ],
  );
  t.match(choiceCounts(choice, [pro, given('c', '', 1)]).at(-1), { number: 1, other: true });
});

t.test('a trend has a name, a table of its numbers and intervals, and a gap where nobody responded', async (t) => {
  const point = (label: string, value: number | null) => ({
    label,
    tick: label,
    value,
    low: value === null ? null : value - 10,
    high: value === null ? null : value + 10,
    responses: value === null ? 0 : 9,
  });
  const text = lineChart({
    id: 'x',
    title: 'NPS by day',
    description: 'What it shows',
    points: [point('Mon', 10), point('Tue', 20), point('Wed', null), point('Thu', -95)],
    ends: [-100, 100],
    format: String,
  }).toString();
  t.match(text, '<svg role="group" aria-labelledby="x-title x-desc"');
  t.equal([...text.matchAll(/<polyline/g)].length, 2, 'a line on each side of the gap');
  t.equal([...text.matchAll(/<circle/g)].length, 3);
  t.match(text, '<th scope="row">Wed</th><td>–</td><td>–</td><td>–</td><td>0</td>');
  t.match(text, '<th scope="row">Thu</th><td>-95</td><td>-105</td><td>-85</td><td>9</td>');
  t.notMatch(text, /style=|NaN/);
  const ys = [...text.matchAll(/[\d.]+,([\d.]+)/g)].map(([, y]) => Number(y));
  t.ok(ys.length > 0 && ys.every((y) => y >= 0 && y <= 100), 'the band stays on the scale');
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
  t.match(text, /<svg role="group" aria-labelledby="x-title x-desc"/);
  t.match(text, '<title id="x-title">A &#60;b&#62; &#38; &#34;c&#34;</title><desc id="x-desc">What it shows</desc>');
  t.match(text, /<th scope="row">first<\/th><td>3<\/td><td>1<\/td>/);
  t.notMatch(text, /style=|<b>/);
  const heights = [...text.matchAll(/<rect class="bar (s\d)"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)];
  t.equal(heights.length, 2, 'nothing is drawn for 0');
  // The upper part is 4 pixels higher, so that its lower round corners are behind the part below it.
  const [[, upper, y2, h2], [, lower, y1, h1]] = heights as unknown as [string[], string[]];
  t.strictSame([upper, lower], ['s2', 's1'], 'the upper part is drawn first');
  t.equal(Number(h1), 3 * (Number(h2) - 4), 'heights are in proportion');
  t.equal(Number(y2) + Number(h2) - 4, Number(y1), 'the second stands on the first');
});

t.test('above a bar a large number is short; its name and the table have all of it', async (t) => {
  const bars = [
    { label: 'first', tick: '1', values: [1_234_567] },
    { label: 'second', tick: '2', values: [9_999] },
  ];
  const text = barChart({ id: 'x', title: 'T', description: 'D', series: ['one'], bars }).toString();
  t.match(text, />1\.2M<\/text>/);
  t.match(text, />9,999<\/text>/);
  t.match(text, 'aria-label="first: 1.2M (1,234,567)"');
  t.match(text, '<td>1,234,567</td>');
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
  const ticks = (count: number, narrow = false) =>
    [...chart(count).matchAll(/<text class="tick( extra)?" x="([\d.]+)%"[^>]*>28 Oct</g)]
      .filter(([, extra]) => !narrow || extra === undefined)
      .map(([, , x]) => Number(x));
  t.equal(ticks(3).length, 3, 'a few bars have a tick each');
  for (const [width, narrow] of [
    [420, false],
    [250, true],
  ] as const) {
    const many = ticks(31, narrow);
    t.ok(many.length >= 3 && many.length <= 8, `${many.length} of 31`);
    for (const [index, x] of many.slice(1).entries())
      t.ok(((x - (many[index] ?? 0)) * width) / 100 >= 45, `there is space for the text in ${width} pixels`);
  }
  for (const count of [0, 1, 31]) t.notMatch(chart(count), /NaN|Infinity/);
});
