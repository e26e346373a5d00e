// Workspaces take turns for the connections of pages. A client that has left doesn't use a turn.
import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { askAs, inTurns, presentAsker } from '../../src/database/turns.ts';

/** Returns calls that don't finish until the test ends them, in the order in which they began. */
function setup(places: number, perGroup: number) {
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
    places,
    perGroup,
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
  const { begun, ask, end } = setup(3, 2);
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
  t.same(begun.slice(3), ['c1', 'b2', 'a3'], 'c has none, then b has none, then the last turn of a is the longest ago');
  for (const name of ['a2', 'b2', 'a3', 'b3', 'a4']) await end(name);
  t.equal(begun.length, 8);
});

t.test('a call that fails leaves its place, and what waits for a client that has left is not asked for', async (t) => {
  const { begun, open, ask, end } = setup(1, 1);
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

t.test('of one group at most 200 wait, and those of others still may', async (t) => {
  const { ask, end } = setup(1, 1);
  for (let count = 0; count <= 200; count += 1) void ask('a', `a${count}`);
  await t.rejects(ask('a', 'one too many'), { name: 'NotReadyError' });
  const other = ask('b', 'b');
  await end('a0');
  await end('a1');
  await end('b');
  t.equal(await other, 'b');
});

t.test('what goes on elsewhere asks as the one it is for', async (t) => {
  const asker = { group: 'a', isGone: () => false };
  const wrapped = askAs(asker, presentAsker);
  t.equal(wrapped, asker);
  t.equal(presentAsker().group, '');
});
