// One response for its page: as it was asked, with the person and the person's other responses, and what a viewer doesn't get.
import t from 'tap';
import type { Question } from '../../src/database/store.ts';
import { invitationsOf, sqlstate } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);

const QUESTIONS: readonly Question[] = [
  { id: 'why', type: 'text', label: 'Why, in words?' },
  { id: 'score', type: 'score', label: 'How was it?', min: 0, max: 10, nps: true },
  { id: 'again', type: 'score', label: 'Again?', min: 1, max: 5 },
];
const ASKED = { questions: QUESTIONS, title: 'Nachher 満足度 '.repeat(20).slice(0, 255) };

/** Invites the address to a survey of the workspace, and answers. Returns the ids. */
async function answered(workspaceId: string, email: string, answers: object) {
  const survey = await store.upsertSurvey({ workspaceId, state: 'active', ...ASKED });
  const { hash } = await createToken(store, survey);
  const recipient = { email, name: 'Ada', language: 'nb' };
  await acceptTrigger(store, hash, { recipients: [recipient], metadata: { order: 1 } }, 10_000);
  await sql`update invite.messages set attempts = 1 where survey_id = ${survey}`;
  const [invitation] = await invitationsOf(sql, survey);
  const { responseId } = await store.submitResponse(survey, { ...answers }, invitation?.link_token, undefined, 'nb');
  return { survey, invitation: invitation?.id ?? '', response: responseId ?? '' };
}

t.test('as it was asked, with the person and what that person said elsewhere in the workspace', async (t) => {
  const { workspace } = await createSurvey(store);
  const other = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'editor', 'e1@example.com');
  const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.example.com`;
  const first = await answered(workspace, email, { score: 3, why: 'Late. '.repeat(100) });
  const second = await answered(workspace, email, { again: 5 });
  const third = await answered(workspace, email.toUpperCase(), { score: 10 });
  await answered(workspace, 'bob@example.com', { score: 1 });
  await answered(other.workspace, email, { score: 2 });
  await store.upsertSurvey({ workspaceId: workspace, id: first.survey, questions: [{ ...QUESTIONS[1], label: 'Changed?' }] });

  const found = await store.console.findResponse(session, first.survey, first.response);
  t.match(found, { email, name: 'Ada', language: 'nb', metadata: { order: 1 }, invitationId: first.invitation, erasedAt: null });
  t.strictSame(
    found.questions.map(({ label }) => label),
    QUESTIONS.map(({ label }) => label),
  );
  t.strictSame(
    found.others?.map(({ id, label, score }) => [id, label, score]),
    [
      [third.response, 'How was it?', 10],
      [second.response, 'How was it?', null],
    ],
    'the newest first; of the first question with a score',
  );
  t.equal((await store.console.responseTo(session, third.survey, third.invitation))?.id, third.response);

  const { session: viewer } = await createMember(store, workspace, 'viewer', 'v1@example.com');
  t.match(await store.console.findResponse(viewer, first.survey, first.response), {
    answers: { score: 3 },
    invitationId: first.invitation,
    email: null,
    name: null,
    batchId: null,
    others: null,
  });
});

t.test('of an erased person, and of somebody with the public link', async (t) => {
  const { workspace } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'owner', 'o2@example.com');
  const one = await answered(workspace, 'gone@example.com', { score: 3 });
  const two = await answered(workspace, 'gone@example.com', { score: 4 });
  await store.eraseEmail(workspace, 'gone@example.com', false, true);
  const erased = await store.console.findResponse(session, one.survey, one.response);
  t.match(erased, { answers: {}, email: null, name: null, others: [], invitationId: one.invitation });
  t.ok(erased.erasedAt);
  t.notSame(two.response, one.response);
  const open = await store.upsertSurvey({ workspaceId: workspace, state: 'active', openResponses: true, ...ASKED });
  const { responseId } = await store.submitResponse(open, { score: 9 }, undefined);
  t.match(await store.console.findResponse(session, open, responseId ?? ''), {
    invitationId: null,
    language: null,
    email: null,
    others: null,
    answers: { score: 9 },
  });
});

t.test('only of the survey that is named', async (t) => {
  const { workspace, survey } = await createBatch(store);
  const { session } = await createMember(store, workspace, 'owner', 'o3@example.com');
  const elsewhere = await createSurvey(store);
  const foreign = await answered(elsewhere.workspace, 'ada@example.com', { score: 1 });
  const near = await answered(workspace, 'ada@example.com', { score: 1 });
  for (const { response, invitation } of [foreign, near]) {
    t.equal(await sqlstate(store.console.findResponse(session, survey, response)), 'P0002');
    t.equal(await store.console.responseTo(session, survey, invitation), null);
  }
  t.equal(await sqlstate(store.console.findResponse(session, foreign.survey, foreign.response)), 'P0002');
  t.equal(await sqlstate(store.console.findResponse(session, survey, '9223372036854775807')), 'P0002');
  const [asked] = await invitationsOf(sql, survey);
  t.equal(await store.console.responseTo(session, survey, asked?.id ?? ''), null, 'nobody has answered yet');
});

t.test('a person may be given everything, and be erased, by admins, and only where the person was invited', async (t) => {
  const { workspace } = await createSurvey(store);
  const { session } = await createMember(store, workspace, 'admin', 'a4@example.com');
  const email = 'Zoë.ünal@Example.com';
  const first = await answered(workspace, email, { score: 3, why: 'Late' });
  const second = await answered(workspace, email.toLowerCase(), { score: 10 });
  const stays = await answered(workspace, 'other@example.com', { score: 1 });
  const foreign = await answered((await createSurvey(store)).workspace, email, { score: 2 });
  const all = JSON.stringify(await store.console.exportRecipient(session, workspace, first.invitation));
  t.match(all, '"why":"Late"');
  t.match(all, second.invitation);
  for (const others of [`"${foreign.invitation}"`, 'other@example.com']) t.notMatch(all, others);
  const links = await sql`select invite.link_token(i) as token from invite.invitations as i`;
  for (const { token } of links) t.notMatch(all, token.slice(-22), 'no link');
  t.match(await store.console.listAuditEntries(session, workspace, undefined, 1), [
    { actor: 'a4@example.com', action: 'addresses_exported', subject: first.invitation, detail: { answers: true } },
  ]);

  t.equal(await sqlstate(store.console.eraseRecipient(session, workspace, foreign.invitation, false, true)), 'P0002');
  t.match(await store.console.eraseRecipient(session, workspace, second.invitation, true, true), {
    erased: 2,
    stillSending: 0,
    responses: 2,
  });
  const left = await sql`select email, invite.link_token(i) is not null as has_link from invite.invitations as i order by id`;
  t.strictSame(
    left.map((row) => row.email).filter((text) => text !== null && /zoë|other/i.test(text)),
    ['other@example.com', email],
    'the other workspace keeps its own',
  );
  t.match(await store.console.findResponse(session, stays.survey, stays.response), {
    email: 'other@example.com',
    answers: { score: 1 },
  });
  t.match((await store.console.listAuditEntries(session, workspace, undefined, 1))[0], {
    actor: 'a4@example.com',
    action: 'address_erased',
    subject: null,
  });
  t.equal(await sqlstate(store.console.eraseRecipient(session, workspace, second.invitation, false, false)), 'P0002', 'once');
});
