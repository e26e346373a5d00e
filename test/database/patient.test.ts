// How often a call is tried again, by what it rejects with.
import t from 'tap';
import { patient } from '../../src/database/store.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });
const LOCKED = '55P03';
const MISSING = '42883';

/** Calls what rejects with these errors, one after another, and then responds. Returns what it did, and how often it was called. */
async function call(...codes: string[]) {
  let calls = 0;
  const { work } = patient({
    work: async () => {
      const code = codes[calls];
      calls += 1;
      // Otherwise a call that is tried for ever would never let the test end.
      if (calls > 20) throw new Error('it is tried for ever');
      if (code !== undefined) throw failure(code);
      return 'done';
    },
  });
  return [await work().catch((error: Error) => error.message), calls];
}

t.test('a lock that others hold is waited for, ten times', async (t) => {
  t.strictSame(await call(LOCKED, LOCKED), ['done', 3]);
  t.strictSame(await call(...Array(20).fill(LOCKED)), [LOCKED, 10]);
});

t.test('any other error ends it, whatever came before', async (t) => {
  t.strictSame(await call('P0002'), ['P0002', 1]);
  t.strictSame(await call(LOCKED, 'P0002'), ['P0002', 2]);
  t.strictSame(await call(LOCKED, LOCKED, LOCKED, LOCKED, MISSING), [MISSING, 5], 'which alone is tried three times');
});
