// An error that a router passes on says what it says without one, whatever the cell's language is.
import t from 'tap';
import { isNotReady } from '../../src/database/pool.ts';
import { asDirect, CellDownError, isRemote } from '../../src/database/routed.ts';
import { outageOf } from '../../src/outage.ts';

const failure = (code: string, message: string, more: object = {}) => Object.assign(new Error(message), { code, ...more });

t.test("a cell's error is that of the cell", async (t) => {
  for (const [code, message, constraint] of [
    ['P0002', 'there is no workspace w', undefined],
    ['23514', 'at most fifty new members a day (members_daily)', 'members_daily'],
    ['23514', 'a survey has no rule (members_daily) (surveys_unknown_rule)', 'surveys_unknown_rule'],
    ['23514', 'new row for relation "surveys" violates check constraint "surveys_title_length"', 'surveys_title_length'],
    ['23514', 'neue Zeile für Relation »surveys« verletzt Check-Constraint »surveys_title_length«', 'surveys_title_length'],
    ['23505', 'duplicate key value violates unique constraint "workspaces_pkey"', 'workspaces_pkey'],
    [
      '23503',
      'update or delete on table "plans" violates foreign key constraint "workspaces_plan_fkey" on table "workspaces"',
      'workspaces_plan_fkey',
    ],
    ['22P02', 'invalid input value for enum invite.member_role: "members_daily"', undefined],
    ['55P03', 'canceling statement due to lock timeout', undefined],
  ] as const) {
    const error = asDirect(
      failure(code, `console.add(3): [invitations] REMOTE ERROR: ${message}`, { detail: 'Remote detail: {"a":1}' }),
    );
    t.match(error, { code, message, detail: '{"a":1}' });
    t.equal((error as { constraint_name?: string }).constraint_name, constraint, message);
    t.ok(isRemote(error));
    t.equal(outageOf(error), undefined, 'the database of this process is well');
  }
});

t.test('a cell that is down, ends connections or takes no writes fails only this request', async (t) => {
  for (const [code, message] of [
    [
      'XX000',
      'PL/Proxy function invite.a(1): [db] PQconnectPoll: connection to server at "1.2.3.4", port 5432 failed: Connection refused\n',
    ],
    ['XX000', 'PL/Proxy function invite.a(1): query timeout'],
    ['XX000', 'invite.accept_triggers(6): [db] REMOTE (null): (null)'],
    ['57P01', 'invite.a(1): [db] REMOTE FATAL: terminating connection due to administrator command'],
    ['57P01', 'invite.a(1): [db] REMOTE ÖLÜMCÜL: sonlandırılıyor'],
    ['53300', 'invite.a(1): [db] REMOTE FATAL: sorry, too many clients already'],
    ['25006', 'invite.a(1): [db] REMOTE ERROR: cannot execute INSERT in a read-only transaction'],
  ] as const) {
    const error = asDirect(failure(code, message));
    t.ok(error instanceof CellDownError, message);
    t.ok(isNotReady(error));
    t.equal(outageOf(error), undefined);
  }
});

t.test('other errors stay as they are', async (t) => {
  for (const error of [
    failure('57014', 'canceling statement due to statement timeout'),
    failure('XX000', 'PL/Proxy function invite.a(1): Non-SETOF function requires 1 row from remote query, got 0'),
    failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'),
    new Error('console.add(3): [db] REMOTE ERROR: without a code'),
    'a text',
    undefined,
  ]) {
    const before = JSON.stringify(error);
    t.equal(asDirect(error), error);
    t.equal(JSON.stringify(error), before);
    t.notOk(isRemote(error));
  }
});
