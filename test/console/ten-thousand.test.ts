// What has a counter is exact however much there is; what is counted row by row is exact to 10,000, and then reads "10,000+".
import t from 'tap';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, visit } from '../fixtures/members.ts';
import { createBatch, createTestDatabase } from '../fixtures/setup.ts';

const MANY = 10_001;
const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey, batch } = await createBatch(store, { recipients: [{ email: 'first@example.com' }] });
const owner = await createMember(store, workspace, 'owner');
await sql`
  insert into invite.invitations (batch_id, workspace_id, survey_id, email)
  select ${batch}, ${workspace}, ${survey}, 'person' || n || '@example.com' from generate_series(2, ${MANY}::integer) as n`;
await sql`
  insert into invite.messages (invitation_id, survey_id, status, due_at, not_before, sweep_at)
  select i.id, i.survey_id, 'queued', now(), now(), now() from invite.invitations as i where i.survey_id = ${survey} and i.email like 'person%'`;

/** The figures above the list, and the numbers of the statuses. */
async function figures(): Promise<Record<string, string>> {
  const text = await (await visit(url, `/surveys/${survey}/invitations`, owner)).text();
  const plain = text
    .slice(text.indexOf('<main'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  const of = (name: string) => [name, new RegExp(`${name} ([\\d,+–]+)`).exec(plain)?.[1] ?? 'missing'] as const;
  return Object.fromEntries(['Invited', 'Sent', 'Bounced', 'Responded', 'Queued'].map(of));
}

t.test('up to 10,000 and above', async (t) => {
  t.match(await figures(), { Invited: '10,000+', Sent: '0', Queued: '10,000+' });
  await sql`delete from invite.messages where invitation_id = (select max(id) from invite.invitations where survey_id = ${survey})`;
  t.match(await figures(), { Invited: '10,000', Queued: '10,000' });

  await sql`
    insert into invite.messages (invitation_id, survey_id, status, due_at, sent_at)
    select max(id), survey_id, 'sent', now(), now() from invite.invitations where survey_id = ${survey} group by survey_id`;
  await sql`
    update invite.messages set status = 'sent', sent_at = now(), not_before = null, sweep_at = null where survey_id = ${survey}`;
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select id, 'bounced', survey_id, now() from invite.invitations where survey_id = ${survey} order by id limit 10000`;
  await sql`select invite.recount_results(${survey})`;
  t.match(await figures(), { Invited: '10,001', Sent: '10,001', Bounced: '10,000' });
  await sql`
    insert into invite.invitation_outcomes (invitation_id, outcome, survey_id, at)
    select max(id), 'bounced', survey_id, now() from invite.invitations where survey_id = ${survey} group by survey_id`;
  t.match(await figures(), { Bounced: '10,000+' });

  const question = await (await visit(url, `/surveys/${survey}/invitations?confirm=remind`, owner)).text();
  t.match(question, 'A reminder goes to <strong>all whom it may reach</strong>', 'nobody of the first ones can be reminded');
  t.notMatch(question, 'at least 0');
});
