// make chaos: counts what is lost and what is repeated when workers are killed, PostgreSQL crashes, the relay misbehaves, or everything
// happens at once. It exits with 1 if anything is lost. CHAOS=kill (or another name below) runs one part, CHAOS_RUNS=20 runs it 20 times,
// and SEED=… repeats the random choices. CHAOS_POSTGRES=/usr/lib/postgresql/15/bin uses that PostgreSQL instead of the embedded one.
import { activation } from './activation.ts';
import { cells } from './cells.ts';
import { crash, cut, terminate } from './crash.ts';
import { disk } from './disk.ts';
import { events } from './events.ts';
import { failover } from './failover.ts';
import { heal } from './heal.ts';
import { batches, kill } from './kill.ts';
import { migrations } from './migrations.ts';
import { misbehaving } from './misbehaving.ts';
import { neighbors } from './neighbors.ts';
import { SEED } from './random.ts';
import { rolling } from './rolling.ts';
import { rules } from './rules.ts';
import { snapshot } from './snapshot.ts';
import { clocks, connections } from './surroundings.ts';
import { tests } from './tests.ts';

/** Each part prints its figures and returns how many emails were lost or rules broken. */
const parts: Record<string, (run: number) => Promise<number>> = {
  kill,
  batches,
  crash,
  terminate,
  cut,
  migrations,
  relay: misbehaving,
  activation,
  neighbors,
  snapshot,
  heal,
  failover,
  disk,
  connections,
  clocks,
  rolling,
  events,
  rules,
  tests,
  cells,
};
/** How often each part runs. */
const RUNS = Number(process.env.CHAOS_RUNS ?? 1);

const chosen = process.env.CHAOS === undefined ? Object.values(parts) : [parts[process.env.CHAOS]];
console.log(`SEED=${SEED}`);
let lost = 0;
for (const part of chosen) {
  if (part === undefined) throw new Error(`CHAOS must be one of ${Object.keys(parts).join(', ')}`);
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now();
    lost += await part(run);
    console.log(`  (${Math.round((performance.now() - began) / 1000)} s)`);
  }
}
process.exitCode = lost === 0 ? 0 : 1;
