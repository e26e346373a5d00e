// The statistics of the Results agree with published values.
import t from 'tap';
import { createTestDatabase } from '../fixtures/setup.ts';

const { sql } = await createTestDatabase(t);

interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly responses: string | null;
}

const nps = async (promoters: number, passives: number, detractors: number) =>
  (await sql<Estimate[]>`select * from invite.estimate_nps(${promoters}, ${passives}, ${detractors})`)[0];
const mean = async (responses: number, total: number, squares: number) =>
  (await sql<Estimate[]>`select * from invite.estimate_mean(${responses}, ${total}, ${squares})`)[0];
const share = async (chosen: number, responses: number) =>
  (await sql<Estimate[]>`select * from invite.estimate_share(${chosen}, ${responses})`)[0];

const shown = (estimate: Estimate | undefined, places: number) =>
  [estimate?.value, estimate?.low, estimate?.high].map((number) => number?.toFixed(places) ?? null);

t.test("shares have Wilson's interval as in the table of Newcombe (1998)", async (t) => {
  // Statistics in Medicine 17, 857-872, table I, method 3. They are also the roots of (p - chosen / responses)² = z² p (1 - p) / responses.
  for (const [chosen, responses, low, high] of [
    [81, 263, '0.2553', '0.3662'],
    [15, 148, '0.0624', '0.1605'],
    [0, 20, '0.0000', '0.1611'],
    [1, 29, '0.0061', '0.1718'],
    [29, 29, '0.8830', '1.0000'],
  ] as const)
    t.strictSame(shown(await share(chosen, responses), 4).slice(1), [low, high], `${chosen} of ${responses}`);
  t.match(await share(20, 20), { value: 1, high: 1, responses: '20' });
});

t.test("quantiles of Student's t are those of the table of NIST", async (t) => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.2, column 0.975; the same as by the incomplete beta function to 40 digits.
  for (const [degrees, quantile] of [
    [1, '12.706'],
    [2, '4.303'],
    [3, '3.182'],
    [4, '2.776'],
    [5, '2.571'],
    [6, '2.447'],
    [7, '2.365'],
    [8, '2.306'],
    [9, '2.262'],
    [10, '2.228'],
    [11, '2.201'],
    [12, '2.179'],
    [15, '2.131'],
    [20, '2.086'],
    [30, '2.042'],
    [40, '2.021'],
    [60, '2.000'],
    [100, '1.984'],
    [null, '1.960'],
  ] as const) {
    const [row] = await sql`select invite.critical_t(${degrees}) as t`;
    t.equal(row?.t.toFixed(3), quantile, `${degrees} degrees of freedom`);
  }
});

t.test('a mean has the interval of the example of NIST', async (t) => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.2: 195 numbers (ZARR13.DAT) of mean 9.261460 and standard deviation 0.022789
  // lie between 9.258242 and 9.264679.
  const [n, average, deviation] = [195, 9.26146, 0.02278881];
  const estimate = await mean(n, n * average, (n - 1) * deviation ** 2 + n * average ** 2);
  t.strictSame(shown(estimate, 5), ['9.26146', '9.25824', '9.26468']);
});

t.test(
  'the variance of an NPS is that of a trinomial: with many responses the interval is that of the example of Agresti',
  async (t) => {
    // A. Agresti, Categorical Data Analysis (2002), section 10.1.1: of 1,600 who judge twice, 150 changed one way and 86 the other: 0.04, from
    // 0.02 to 0.06.
    const estimate = await nps(150, 1364, 86);
    t.strictSame(
      [estimate?.value, estimate?.low, estimate?.high].map((number) => ((number ?? 0) / 100).toFixed(2)),
      ['0.04', '0.02', '0.06'],
    );
    t.equal(estimate?.responses, '1600');
  },
);

t.test('the interval of an NPS is the adjusted Wald of Rocks (2016), and has a width when all agree', async (t) => {
  // The American Statistician 70, 365-372; the recipe also in J. Lewis, J. Sauro, "Evaluating NPS Confidence Intervals with Real-World Data" (2021): 3/4
  // more promoters and detractors, 3 more responses. The ends are computed to 40 digits as the mean of +1, 0 and -1, not by the formula in SQL.
  for (const [promoters, passives, detractors, value, low, high] of [
    [6, 3, 1, '50.000', '-0.203', '77.126'],
    [15, 11, 10, '13.889', '-12.735', '38.376'],
    [61, 29, 10, '51.000', '36.435', '62.594'],
  ] as const)
    t.strictSame(
      shown(await nps(promoters, passives, detractors), 3),
      [value, low, high],
      `${promoters}, ${passives}, ${detractors}`,
    );
  t.match(await nps(0, 0, 1), { value: -100, low: -100 });
  const all = await nps(3, 0, 0);
  t.match(all, { value: 100, responses: '3' });
  t.ok((all?.low ?? 100) < 60 && (all?.high ?? 0) <= 100);
});

t.test('the interval of an NPS covers the true one 93 to 98 times in 100, from ten responses on', async (t) => {
  const factorials = [1];
  for (let n = 1; n <= 30; n += 1) factorials.push((factorials[n - 1] ?? 1) * n);
  const factorial = (n: number) => factorials[n] ?? 1;
  for (const [n, [up, middle, down]] of [
    [10, [0.5, 0.3, 0.2]],
    [10, [0.3, 0.4, 0.3]],
    [30, [0.7, 0.2, 0.1]],
  ] as const) {
    const rows = await sql<{ x: number; y: number; low: number; high: number }[]>`
      select x, y, (e).low, (e).high
      from generate_series(0, ${n}::integer) as x
      cross join lateral generate_series(0, ${n} - x) as y
      cross join lateral invite.estimate_nps(x, ${n} - x - y, y) as e`;
    let covered = 0;
    for (const { x, y, low, high } of rows) {
      const probability =
        (factorial(n) / (factorial(x) * factorial(y) * factorial(n - x - y))) * up ** x * down ** y * middle ** (n - x - y);
      if (low <= 100 * (up - down) && 100 * (up - down) <= high) covered += probability;
    }
    t.ok(covered > 0.93 && covered < 0.98, `${n} responses: ${covered}`);
  }
});

t.test('without responses there is no statistic, and one number has no interval', async (t) => {
  for (const none of [await nps(0, 0, 0), await mean(0, 0, 0), await share(0, 0)])
    t.match(none, { value: null, low: null, high: null, responses: null });
  t.match(await mean(1, 7, 49), { value: 7, low: null, high: null, responses: '1' });
  t.match(await mean(2, 14, 98), { value: 7, low: 7, high: 7 });
});
