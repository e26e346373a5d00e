// How many emails a worker claims under RELAY_RATE.
import t from 'tap';
import { createPace } from '../../src/worker/pace.ts';

t.test('a second of the rate at once, then as many as have come since', async (t) => {
  let now = 0;
  const pace = createPace(5, () => now);
  t.equal(pace.allowed(), 5);
  pace.spend(5);
  t.same([pace.allowed(), pace.msUntil(100), pace.msUntil(1)], [0, 600, 200], 'half a second, or what is left');
  now = 400;
  t.same([pace.allowed(), pace.msUntil(100)], [2, 200]);
  now = 600;
  t.equal(pace.allowed(), 3);
  pace.refund(1);
  t.equal(pace.allowed(), 4, 'what took no place');
  now = 3_600_000;
  t.equal(pace.allowed(), 5, 'a rest saves up no more than a second');
});

t.test('without a rate there is no limit', async (t) => {
  const pace = createPace(undefined);
  pace.spend(1_000_000);
  t.equal(pace.allowed(), Number.POSITIVE_INFINITY);
});
