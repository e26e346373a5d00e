// Workspaces take turns for a limited number of places. A client that has left doesn't use a turn.
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { askAs, inTurns, presentAsker, type Shares, Turns } from '../../src/database/turns.ts';

/** Returns calls that don't finish until the test ends them, in the order in which they began. */
function setup(shares: Shares, now?: () => number) {
  const begun: string[] = [];
  const open = new Map<string, { resolve: (text: string) => void; reject: (error: Error) => void }>();
  const store = inTurns(
    {
      page: (name: string) => {
        begun.push(name);
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        open.set(name, { resolve, reject });
        return promise;
      },
    },
    new Turns(shares, now),
  );
  const ask = (group: string, name: string, isGone = () => false) => {
    const asked = askAs({ group, isGone }, () => store.page(name));
    asked.catch(() => {});
    return asked;
  };
  const end = async (name: string) => {
    open.get(name)?.resolve(name);
    await setImmediate();
  };
  return { begun, open, ask, end };
}

t.test('a group has at most its part, and the groups that wait take turns', async (t) => {
  const { begun, ask, end } = setup({ places: 3, perGroup: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('a', name);
  await setImmediate();
  t.same(begun, ['a1', 'a2'], 'a place stays free for others');
  for (const name of ['b1', 'b2', 'b3']) void ask('b', name);
  void ask('c', 'c1');
  await setImmediate();
  t.same(begun.slice(2), ['b1']);
  await end('a1');
  await end('b1');
  await end('c1');
  t.same(begun.slice(3), ['c1', 'b2'], 'c has none, then b has none; the last free place is kept');
  for (const name of ['a2', 'b2', 'a3', 'b3', 'a4']) await end(name);
  t.same(begun.slice(5), ['a3', 'b3', 'a4']);
});

t.test('the last free place is for a group that has none, unless a group may take all', async (t) => {
  const { begun, ask, end } = setup({ places: 4, perGroup: 2 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void ask(name.slice(0, 1), name);
  await setImmediate();
  t.same(begun, ['a1', 'a2', 'b1']);
  void ask('c', 'c1');
  await setImmediate();
  t.same(begun.slice(3), ['c1'], 'beside two busy ones a third starts at once');
  await end('a1');
  t.same(begun.slice(4), [], 'the free place is kept again');
  await end('c1');
  t.same(begun.slice(4), ['a3'], 'with two free, one is taken');
  const all = setup({ places: 2, perGroup: 2 });
  for (const name of ['a1', 'a2', 'a3']) void all.ask('a', name);
  await setImmediate();
  t.same(all.begun, ['a1', 'a2']);
  void all.ask('b', 'b1');
  await all.end('a1');
  t.same(all.begun.slice(2), ['b1'], 'whoever comes next goes first');
});

t.test('a group that has held a second place for long has one at a time', async (t) => {
  let now = 0;
  const { begun, ask, end } = setup({ places: 4, perGroup: 2, burst: 2_000 }, () => now);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) void ask('a', name);
  await setImmediate();
  now = 1_000;
  await end('a1');
  await end('a2');
  t.same(begun.slice(2), ['a3', 'a4'], 'for one second so far');
  now = 2_100;
  await end('a3');
  t.same(begun.slice(4), [], 'for more than two');
  await end('a4');
  t.same(begun.slice(4), ['a5'], 'it always has one');
  void ask('b', 'b1');
  void ask('b', 'b2');
  await setImmediate();
  t.same(begun.slice(5), ['b1', 'b2'], 'another group may have two');
  now = 9_000;
  await end('a5');
  t.same(begun.slice(7), ['a6'], 'that others pass while it has one changes nothing');
  await end('a6');
  await end('a7');
  await end('b1');
  await end('b2');
  for (const name of ['a8', 'a9']) void ask('a', name);
  await setImmediate();
  t.same(begun.slice(9), ['a8', 'a9'], 'it had none, so it begins anew');
});

t.test('a place that is not free at once is not waited for, and is left once', async (t) => {
  const turns = new Turns({ places: 4, perGroup: 2 });
  const [first, second] = [turns.tryEnter('a'), turns.tryEnter('a')];
  t.ok(first && second);
  t.equal(turns.tryEnter('a'), undefined);
  t.ok(turns.tryEnter('b'));
  t.equal(turns.tryEnter('b'), undefined, 'the last one is kept');
  const last = turns.tryEnter('c');
  t.ok(last);
  t.equal(turns.tryEnter('d'), undefined, 'all are taken');
  last?.();
  first?.();
  t.ok(turns.tryEnter('a'));
});

t.test('a call that fails leaves its place, and what waits for a client that has left is not asked for', async (t) => {
  const { begun, open, ask, end } = setup({ places: 1, perGroup: 1 });
  const failing = ask('a', 'first');
  let gone = false;
  const left = ask('a', 'left', () => gone);
  const stays = ask('b', 'stays');
  await setImmediate();
  gone = true;
  open.get('first')?.reject(new Error('failed'));
  await t.rejects(failing, { message: 'failed' });
  await setImmediate();
  await end('stays');
  t.equal(await stays, 'stays');
  await t.rejects(left, { name: 'ClientGoneError' });
  t.same(begun, ['first', 'stays']);
  void ask('a', 'again');
  await setImmediate();
  t.equal(begun.at(-1), 'again', 'the place is free again');
});

t.test('of one group only so many wait, and those of others still may', async (t) => {
  const { ask, end } = setup({ places: 1, perGroup: 1, waiting: 2 });
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  await t.rejects(ask('a', 'one too many'), { name: 'NotReadyError' });
  const other = ask('b', 'b');
  await end('a1');
  await end('a2');
  await end('b');
  t.equal(await other, 'b');
});

t.test('also what is nested takes turns', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const calls = { one: () => promise, nested: { other: async (text: string) => text } };
  const store = inTurns(calls, new Turns({ places: 1, perGroup: 1 }));
  const all = [store.one(), store.nested.other('b')];
  let isOver = false;
  void all[1]?.then(() => {
    isOver = true;
  });
  await setImmediate();
  t.notOk(isOver);
  resolve('a');
  t.same(await Promise.all(all), ['a', 'b']);
});

t.test('what goes on elsewhere asks as the one it is for', async (t) => {
  const asker = { group: 'a', isGone: () => false };
  const wrapped = askAs(asker, presentAsker);
  t.equal(wrapped, asker);
  t.equal(presentAsker().group, '');
});
