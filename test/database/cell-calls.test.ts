// Calls go to the connections of their cell. A cell that hangs keeps at most its places, and one that fails is tried by one call at a time.
import t from 'tap';
import { byCell, CellGate, CellRoutes, gated, homesIn } from '../../src/database/cell-calls.ts';
import { CellDownError } from '../../src/database/routed.ts';
import { createSecret } from '../../src/secret.ts';

const LONG = 1_000_000;
const DOWN = { message: /^a cell can't respond/ };
const routesOf = (cells: string[], moved: Record<string, string> = {}) => {
  const routes = new CellRoutes();
  routes.learn({ cells, moved, last: '1' });
  return routes;
};

t.test('the home of a call is found in each kind of argument', async (t) => {
  const { hash } = createSecret('aaaa1234');
  const token = `aaaa1234${'x'.repeat(33)}`;
  for (const value of [
    hash,
    token,
    'aaaa1234',
    [{ secretHash: hash, request: {} }],
    [{ secret_hash: `\\x${hash.toString('hex')}` }],
  ]) {
    t.same([...homesIn(value)], ['aaaa1234']);
  }
  for (const value of [hash.subarray(1), 'a survey', 17, null, undefined, [], [{}], new Date(0)]) t.same([...homesIn(value)], []);
});

t.test('a workspace that has moved is in its new cell, and shares no calls with others', async (t) => {
  const routes = routesOf(['aaaa', 'bbbb'], { aaaa1234: 'bbbb' });
  t.same(
    ['aaaa1234', 'aaaa0000', 'cccc0000'].map((home) => routes.cellOf(home)),
    ['bbbb', 'aaaa', undefined],
  );
  t.same(
    ['aaaa1234', 'aaaa0000'].map((home) => routes.groupOf(home)),
    ['aaaa1234', 'aaaa'],
  );
  routes.learn({ cells: ['aaaa', 'bbbb'], moved: { aaaa1234: 'aaaa' }, last: '2' });
  t.equal(routes.cellOf('aaaa1234'), 'aaaa');
  t.equal(routes.last, '2');
});

t.test('each call is made in its cell, and without a router in the only database', async (t) => {
  const open = (cell: string | undefined) => ({
    find: async (_hash: Buffer, text?: string) => `${cell} ${text}`,
    part: { ask: async (...args: unknown[]) => `${cell} ${args.join()}` },
  });
  const { hash } = createSecret('bbbb1234');
  const calls = byCell(routesOf(['aaaa', 'bbbb']), open, { 'part.ask': 2 });
  t.equal(await calls.find(hash, 'x'), 'bbbb x');
  t.equal(await calls.find(createSecret('cccc1234').hash), 'undefined undefined');
  t.equal(await byCell(new CellRoutes(), open).find(hash), 'undefined undefined');
  t.equal(await byCell(new CellRoutes(), open, { 'part.ask': 2 }).part.ask('x'), 'undefined x');
});

t.test('a call for every cell succeeds if one does', async (t) => {
  const asked: unknown[][] = [];
  const open = (cell: string | undefined) => ({
    ask: async (...args: unknown[]) => {
      asked.push(args);
      if (cell === 'aaaa' || args[0] === 'nobody') throw new CellDownError('gone');
    },
  });
  const calls = byCell(routesOf(['aaaa', 'bbbb']), open, { ask: 2 });
  await calls.ask('x');
  t.same(asked, [
    ['x', undefined, 'aaaa0000'],
    ['x', undefined, 'bbbb0000'],
  ]);
  await t.rejects(calls.ask('nobody'), DOWN);
});

t.test('calls that hang keep their places, and what waits behind them is never made', async (t) => {
  let made = 0;
  const free = Promise.withResolvers<string>();
  const gate = new CellGate(2, 20);
  const hang = (_name: string) => {
    made += 1;
    return free.promise;
  };
  const { ask } = gated({ ask: hang }, gate);
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(ask));
  t.ok(results.every((result) => result.status === 'rejected' && result.reason instanceof CellDownError));
  t.equal(made, 2);
  await t.rejects(ask('e'), { message: /a moment ago/ });
  t.equal(made, 2);
  free.resolve('late');
});

t.test('waiting calls follow in order', async (t) => {
  const made: string[] = [];
  const gate = new CellGate(1, LONG);
  const { ask } = gated({ ask: async (name: string) => made.push(name) }, gate);
  await Promise.all(['a', 'b', 'c'].map(ask));
  t.same(made, ['a', 'b', 'c']);
});

t.test('a failure that is not of the cell fails one call only', async (t) => {
  const gate = new CellGate(1, LONG);
  const { ask } = gated(
    {
      ask: async (code: string) => {
        if (code !== '') throw Object.assign(new Error('invite.a(1): [db] REMOTE ERROR: no'), { code });
        return 'yes';
      },
    },
    gate,
  );
  await t.rejects(ask('P0002'), { code: 'P0002', message: 'no' });
  t.equal(await ask(''), 'yes');
  await t.rejects(ask('57P01'), DOWN);
  await t.rejects(ask(''), DOWN);
});
