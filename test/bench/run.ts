// make bench: measures how fast the product is, compared with the limits of this machine and with other ways to build it.
// BENCH=accept,deliver runs parts by name. BENCH_SCALE makes the numbers larger. BENCH_DATABASE_URL uses that PostgreSQL instead of the
// embedded one. Each part replaces its own results in .data/bench/results.json. A run of all parts then updates docs/performance.md
// (document.ts).
import { cpus, totalmem } from 'node:os';
import { accept } from './accept.ts';
import { acceptSql } from './accept-sql.ts';
import { activation } from './activation.ts';
import { bodies } from './bodies.ts';
import { caps } from './caps.ts';
import { cooldown } from './cooldown.ts';
import { cpu } from './cpu.ts';
import { deliver, slow } from './deliver.ts';
import { deliverSql } from './deliver-sql.ts';
import { writeDocument } from './document.ts';
import { events } from './events.ts';
import { growth } from './growth.ts';
import { type Bench, openBench } from './harness.ts';
import { hot } from './hot.ts';
import { lateness } from './lateness.ts';
import { many } from './many.ts';
import { memory } from './memory.ts';
import { pairs } from './pairs.ts';
import { keep, print, readReport } from './report.ts';
import type { Report, Result } from './result.ts';
import { results } from './results.ts';
import { router } from './router.ts';
import { rules } from './rules.ts';
import { scale } from './scale.ts';
import { search } from './search.ts';
import { wal } from './wal.ts';

const parts: Record<string, (bench: Bench) => Promise<Result[]>> = {
  accept,
  acceptSql,
  deliver,
  deliverSql,
  cooldown,
  many,
  activation,
  rules,
  caps,
  lateness,
  hot,
  slow,
  growth,
  memory,
  pairs,
  cpu,
  bodies,
  scale,
  wal,
  results,
  search,
  events,
  router,
};

const wanted = process.env.BENCH?.split(',') ?? Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}`);

const factor = Number(process.env.BENCH_SCALE ?? 1);
const bench = await openBench(factor);
const about = {
  machine: `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
  versions: `Node ${process.version}, PostgreSQL ${bench.postgres}`,
  scale: factor,
  at: new Date().toISOString().slice(0, 10),
};
console.log(`${about.machine}; ${about.versions}; scale ${factor}\n`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void bench.close().finally(() => process.exit(130)));

// A run of all parts drops the earlier results.
const earlier = process.env.BENCH === undefined ? [] : (readReport()?.results ?? []);
let report: Report = { ...about, results: earlier };
try {
  for (const name of wanted) {
    const began = performance.now();
    const results = (await parts[name]?.(bench)) ?? [];
    print(results);
    console.log(`(${name}: ${Math.round((performance.now() - began) / 1000)} s)\n`);
    report = keep(report, results);
    await bench.clear();
  }
} finally {
  await bench.close();
}
if (process.env.BENCH === undefined) writeDocument(report);
