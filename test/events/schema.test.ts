// Each type of event under webhooks in openapi.json matches real events.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import t from 'tap';
import { EVENT_TYPES } from '../../src/events/schema.ts';
import { unsubscribeToken } from '../../src/mail/links.ts';
import { openApi } from '../../src/trigger/openapi.ts';
import { idsOf } from '../fixtures/inspect.ts';
import { createSurvey, createTestDatabase, createToken, createWorker, until } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);
const limits = { maxRecipients: 10, maxMetadataBytes: 1000, maxMessageBytes: 1000 };
const document = JSON.parse(JSON.stringify(openApi('https://invite.example', limits)));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(document, 'openapi');
const validator = (type: string) =>
  ajv.compile({ $ref: `openapi#/webhooks/${type}/post/requestBody/content/application~1json/schema` });

/** Creates a survey in whose workspace every type of event happens, mostly with metadata and sometimes without. */
async function everything() {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  await store.setWorkspaceEvents(workspace, true);
  await store.setSurveyState(survey, 'active');
  const { hash } = await createToken(store, survey);
  const worker = await createWorker(store);
  const send = async (
    email: string,
    outcome: string,
    options: { reminders?: number[]; metadata?: Record<string, unknown> } = {},
  ) => {
    const accepted = await acceptTrigger(store, hash, { recipients: [{ email }], ...options }, 1000);
    if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
    if (outcome === 'cancelled') await store.cancelBatch(accepted.batchId);
    const deliver = async () => {
      const claimed = await store.claimInvitations(await idsOf(sql, survey), worker);
      await store.settleInvitations(
        claimed.map(({ id, claimId }) => ({
          id,
          claim_id: claimId,
          outcome: outcome as 'accepted',
          code: 'a_code',
          relay_message_id: `m-${id}`,
        })),
      );
      return claimed[0];
    };
    const first = await deliver();
    if (options.reminders !== undefined) {
      await sql`
        update invite.messages set not_before = now()
        where status = 'queued' and invitation_id in (select id from invite.invitations where batch_id = ${accepted.batchId})`;
      await deliver();
    }
    return first;
  };
  const sent = await send('ada@example.com', 'accepted', { reminders: [1], metadata: { order: 7 } });
  await send('bob@example.com', 'rejected');
  await send('cyd@example.com', 'suppressed');
  await send('dan@example.com', 'cancelled');
  // Ada was invited just now: the first waits for the end of her rest, and the second is skipped, because it may not wait for so long.
  await sql`update invite.workspaces set rest_days = 30 where id = ${workspace}`;
  await send('ada@example.com', 'resting');
  await sql`update invite.workspaces set max_delay_hours = 24 where id = ${workspace}`;
  await send('ada@example.com', 'resting');
  const id = sent?.id ?? '';
  for (const type of ['delivered', 'hard_bounce', 'complaint'] as const)
    await store.recordRelayEvents('resend', [
      {
        event_id: `${type}-${id}`,
        type,
        occurred_at: '2030-01-31T09:00:00Z',
        invitation_id: id,
        relay_message_id: `m-${id}`,
        email: 'ada@example.com',
      },
    ]);
  await store.unsubscribe(unsubscribeToken(sent?.linkToken ?? ''));
  await store.submitResponse(survey, { score: 9 }, sent?.linkToken);
  await store.submitResponse(survey, { score: 1 }, undefined);
  await sql`update invite.workspaces set guarded_at = clock_timestamp() where id = ${workspace}`;
  await sql`select invite.record_guard_events(w, 'survey.held', clock_timestamp()) from invite.workspaces as w where w.id = ${workspace}`;
  await store.releaseGuard(workspace, 'A note');
  await store.setSurveyState(survey, 'closed');
  await until('all is published', async () => (await store.publishEvents(1000)) === 0);
  return workspace;
}

t.test('each type is there, and what happens is as it says, also after an erasure', async (t) => {
  t.same(Object.keys(document.webhooks), [...EVENT_TYPES]);
  const workspace = await everything();
  const read = async () =>
    (
      await sql<{ event: { type: string } }[]>`
        select invite.event_envelope(e) as event from invite.list_events(0, 1000, ${workspace}) as e`
    ).map(({ event }) => event);
  const events = await read();
  t.same(new Set(events.map(({ type }) => type)), new Set(EVENT_TYPES), 'all have happened');
  await store.eraseEmail(workspace, 'ada@example.com', true);
  for (const event of [...events, ...(await read())]) {
    const valid = validator(event.type);
    t.ok(valid(event), `${event.type}: ${ajv.errorsText(valid.errors)}`);
    const another = event.type === 'survey.closed' ? 'survey.activated' : 'survey.closed';
    t.notOk(validator(another)(event), `not as ${another}`);
  }
});
