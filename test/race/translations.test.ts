// Two people translate or word the same language, interleaved by hand: the second waits for the first, and saves nothing on top of what it hasn't read.
import t from 'tap';
import { openSession } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const database = await createTestDatabase(t);
const { sql, store } = database;
const { workspace, survey } = await createSurvey(store);
const { token } = await createToken(store, survey);
const { session } = await createMember(store, workspace, 'admin');

const CALLS = {
  survey: {
    set: (on: typeof sql, text: string, before: object | null) =>
      on`select console.set_survey_translation(${session}, ${survey}, 'sv', ${on.json({ title: text })}, before => ${before && on.json(before as never)}) as saved`,
    now: () => sql`select translations -> 'sv' ->> 'title' as text from invite.surveys where id = ${survey}`,
    before: { title: 'One' },
  },
  token: {
    set: (on: typeof sql, text: string, before: object | null) =>
      on`
        select console.set_token_translation(
          ${session}, ${survey}, ${token}, 'sv', ${on.json({ subject: text })}, before => ${before && on.json(before as never)}) as saved`,
    now: () => sql`select translations -> 'sv' ->> 'subject' as text from invite.trigger_tokens where id = ${token}`,
    before: { subject: 'One' },
  },
  workspace: {
    set: (on: typeof sql, text: string, before: object | null) =>
      on`
        select console.set_wording(
          ${session}, ${workspace}, 'sv', ${on.json({ submit: text })}, null, ${before && on.json(before as never)}) as saved`,
    now: () => sql`select words ->> 'submit' as text from invite.wordings where workspace_id = ${workspace} and language = 'sv'`,
    before: { submit: 'One', optional: 'what others change beside it' },
  },
};

for (const [kind, { set, now, before }] of Object.entries(CALLS)) {
  t.test(`of a ${kind}`, async (t) => {
    const [one, two] = [await openSession(database), await openSession(database)];
    await one.sql`begin`;
    t.same(await set(one.sql, 'One', {}), [{ saved: true }], 'there is none yet');
    const second = set(two.sql, 'Two', {}).execute();
    await two.untilBlocked();
    await one.sql`commit`;
    t.same(await second, [{ saved: false }], 'the second has read none, and there is one');
    t.same(await now(), [{ text: 'One' }]);
    t.same(await set(sql, 'Two', before), [{ saved: true }], 'once it has read it');
    t.same(await set(sql, 'Three', null), [{ saved: true }], 'who says nothing of before replaces whatever there is');
    t.same(await now(), [{ text: 'Three' }]);
  });
}
