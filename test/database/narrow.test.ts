// Calls that people without an account can cause use few connections at a time.
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { narrow } from '../../src/database/narrow.ts';

/** Returns calls that don't finish until the test ends them, and the names of those that have begun. */
function setup(width: number, maxWaiting?: number) {
  const begun: string[] = [];
  const open = new Map<string, { resolve: (text: string) => void; reject: (error: Error) => void }>();
  const call = (name: string) => {
    begun.push(name);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    open.set(name, { resolve, reject });
    return promise;
  };
  return { begun, open, store: narrow({ one: call, nested: { other: call } }, width, maxWaiting) };
}

t.test('calls beyond the width wait, and begin in the order in which they came', async (t) => {
  const { begun, open, store } = setup(2);
  const all = [store.one('a'), store.nested.other('b'), store.one('c'), store.nested.other('d')];
  await setImmediate();
  t.same(begun, ['a', 'b']);
  open.get('b')?.resolve('found');
  t.equal(await all[1], 'found');
  await setImmediate();
  t.same(begun, ['a', 'b', 'c'], 'one for each that ends');
  open.get('a')?.reject(new Error('gone'));
  await t.rejects(Promise.resolve(all[0]), { message: 'gone' });
  await setImmediate();
  t.same(begun, ['a', 'b', 'c', 'd'], 'also for one that fails');
  for (const name of ['c', 'd']) open.get(name)?.resolve(name);
  t.same(await Promise.all(all.slice(2)), ['c', 'd']);
  void store.one('e');
  await setImmediate();
  t.equal(begun.at(-1), 'e', 'then nobody waits any more');
});

t.test('those for whom there is no room to wait are told to come back', async (t) => {
  const { begun, open, store } = setup(1, 1);
  const all = [store.one('a'), store.one('b')];
  await t.rejects(store.one('c'), { name: 'NotReadyError' });
  open.get('a')?.resolve('a');
  await all[0];
  await setImmediate();
  open.get('b')?.resolve('b');
  await all[1];
  t.same(begun, ['a', 'b']);
});
