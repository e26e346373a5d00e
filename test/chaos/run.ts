// make chaos: what is lost and what is repeated when workers are killed, PostgreSQL crashes, the relay misbehaves, or everything happens at
// once. Exits with 1 if anything is lost. CHAOS=kill (or another name below) runs one part; SEED=… repeats the random choices.
import { activation } from './activation.ts';
import { crash } from './crash.ts';
import { batches, kill } from './kill.ts';
import { migrations } from './migrations.ts';
import { misbehaving } from './misbehaving.ts';
import { SEED } from './random.ts';

/** Each prints its figures, and returns how many emails were lost or rules broken. */
const parts: Record<string, () => Promise<number>> = { kill, batches, crash, migrations, relay: misbehaving, activation };

const chosen = process.env.CHAOS === undefined ? Object.values(parts) : [parts[process.env.CHAOS]];
console.log(`SEED=${SEED}`);
let lost = 0;
for (const part of chosen) {
  if (part === undefined) throw new Error(`CHAOS must be one of ${Object.keys(parts).join(', ')}`);
  const began = performance.now();
  lost += await part();
  console.log(`  (${Math.round((performance.now() - began) / 1000)} s)`);
}
process.exitCode = lost === 0 ? 0 : 1;
