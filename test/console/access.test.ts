// The status of each page and form of the console for each kind of visitor. The test prints it as a table.
import t from 'tap';
import { CONSOLE_ROUTES } from '../../src/console/routes.ts';
import { startTestServer } from '../fixtures/http.ts';
import { createMember, openSession, type SignedInMember, visit } from '../fixtures/members.ts';
import { createBatch, createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { createTestEmail } from '../fixtures/test-workspaces.ts';
import { createUpload, line } from '../fixtures/uploads.ts';
import { createWebhook } from '../fixtures/webhooks.ts';

const { store, sql, urlAs } = await createTestDatabase(t);
const { url } = await startTestServer(t, urlAs('invite_web'));
const { workspace, survey, token, batch } = await createBatch(store);
const [{ id: invitation } = { id: '' }] = await sql`select id from test.invitations where batch_id = ${batch}`;
const [{ response_id: response } = { response_id: '' }] =
  await sql`select * from invite.record_response(${survey}, '{"score": 9}')`;
const elsewhere = await createSurvey(store);
const ofOther = await createToken(store, elsewhere.survey);
await sql`
  insert into invite.suppressions (workspace_id, email, reason)
  values (${workspace}, 'complained@example.com', 'complaint'), (${workspace}, 'École@example.com', 'manual')`;
const { id: webhook } = await createWebhook(store, workspace, 'https://x.example/hook');
const { id: webhookOfOther } = await createWebhook(store, elsewhere.workspace, 'https://x.example/hook');
await sql`select invite.upload_token(${survey})`;
const list = await createUpload(store, survey, [line(1, 'cy@example.com'), line(2, undefined)]);
const tokenFields = {
  name: 'Token',
  cooldownSeconds: '60',
  defaultSubject: 'Subject',
  defaultMessage: 'Message',
  defaultReminders: '0',
};

const visitors: Record<string, SignedInMember | undefined> = {
  owner: await createMember(store, workspace, 'owner'),
  admin: await createMember(store, workspace, 'admin'),
  editor: await createMember(store, workspace, 'editor'),
  viewer: await createMember(store, workspace, 'viewer'),
  stranger: undefined,
  other: await createMember(store, elsewhere.workspace, 'owner', 'other@example.com'),
};
const NAMES = Object.keys(visitors);
/** Its members are those of the real one. */
const test = await store.createTestWorkspace(workspace, undefined);
const [{ id: testSurvey } = { id: '' }] = await sql`select id from invite.surveys where workspace_id = ${test}`;
const { id: testEmail } = await createTestEmail(sql, store, testSurvey, { email: 'never@sim.invalid', subject: 'Hello' });
const [{ now } = { now: '' }] = await sql`select to_json(test_now) #>> '{}' as now from invite.workspaces where id = ${test}`;

/** A page, or a form if it has fields, with its status for owner, admin, editor, viewer, stranger, and the owner of another workspace. */
type Line = [path: string, statuses: string, fields?: Record<string, string>];

const lines: Line[] = [
  ['/', '303 303 303 303 200 303'],
  ['/sign-in', '200 200 200 200 200 200'],
  [`/workspaces/${workspace}`, '200 200 200 200 303 404'],
  [`/workspaces/${workspace}/members`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/members`, '303 303 403 403 303 404', { action: 'add', email: 'new@example.com', role: 'viewer' }],
  [`/workspaces/${workspace}/members`, '303 403 403 403 303 404', { action: 'add', email: 'chief@example.com', role: 'owner' }],
  [
    `/workspaces/${workspace}/members`,
    '303 403 403 403 303 404',
    { action: 'change', email: 'chief@example.com', role: 'owner' },
  ],
  [`/workspaces/${workspace}/members/remove?email=viewer@example.com`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/members/remove?email=owner@example.com`, '200 403 403 403 303 404'],
  [`/workspaces/${workspace}/members/remove?email=nobody@example.com`, '404 404 403 403 303 404'],
  [`/workspaces/${workspace}/members`, '303 303 403 403 303 404', { action: 'add', email: 'gone@example.com', role: 'viewer' }],
  [`/workspaces/${workspace}/members`, '303 404 403 403 303 404', { action: 'remove', email: 'gone@example.com' }],
  [`/surveys/${survey}/languages.csv?language=de`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/translations.csv?language=de`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/wording`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/wording?language=de`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/wording.csv?language=de`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/wording`, '303 303 403 403 303 404', { action: 'save', language: 'de', 'text.submit': 'Los' }],
  [`/workspaces/${workspace}/audit`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/audit.csv`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/search`, '200 200 200 200 303 404'],
  [`/workspaces/${workspace}/search`, '200 200 200 200 303 404', { search: '\0a' }],
  [`/workspaces/${workspace}/search/suggestions`, '200 200 200 200 303 404', { search: 'ada' }],
  [`/workspaces/${workspace}/responses`, '200 200 200 200 303 404'],
  [`/workspaces/${workspace}/responses?before=${response}`, '200 200 200 200 303 404'],
  [`/workspaces/${workspace}/recipients`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/recipients?search=ada&before=9`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/recipients?search=%00&batch=x`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/recipients/${invitation}`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/recipients/${invitation}/export.json`, '200 200 403 403 303 404'],
  [`/workspaces/${elsewhere.workspace}/recipients/${invitation}/export.json`, '404 404 404 404 303 404'],
  [`/workspaces/${workspace}/recipients/${invitation}/erase`, '200 200 403 403 303 404'],
  [`/workspaces/${elsewhere.workspace}/recipients/${invitation}/erase`, '404 404 404 404 303 404', {}],
  [`/workspaces/${workspace}/recipients/none`, '404 404 404 404 303 404'],
  [`/workspaces/${elsewhere.workspace}/recipients/${invitation}`, '404 404 404 404 303 404'],
  [`/workspaces/${workspace}/do-not-email`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/do-not-email?search=%00&before=%00`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/do-not-email`, '303 303 303 403 303 404', { action: 'add', email: 'never@example.com' }],
  [`/workspaces/${workspace}/do-not-email`, '422 422 422 403 303 404', { action: 'add', email: 'never' }],
  [`/workspaces/${workspace}/do-not-email/remove?email=never@example.com`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/do-not-email/remove?email=%C3%89cole@Example.com`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/do-not-email/remove?email=nobody@example.com`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/do-not-email`, '303 303 303 403 303 404', { action: 'remove', email: 'never@example.com' }],
  [`/workspaces/${workspace}/do-not-email`, '400 400 400 403 303 404', { action: 'remove', email: 'complained@example.com' }],
  [`/workspaces/${workspace}/sending`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/sending`, '303 303 403 403 303 404', { action: 'pause' }],
  [`/workspaces/${workspace}/sending`, '303 303 403 403 303 404', { action: 'resume' }],
  [`/workspaces/${workspace}/limits`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/limits?scope=sender&domain=a.example`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/limits`, '422 422 403 403 303 404', { scope: 'recipient', domain: 'no domain', per_hour: '100' }],
  [`/workspaces/${workspace}/limits`, '422 422 403 403 303 404', { scope: 'workspace', per_hour: 'many' }],
  [`/workspaces/${workspace}/limits`, '303 303 403 403 303 404', { scope: 'workspace', per_hour: '1,000', per_day: '' }],
  [`/workspaces/${workspace}/guard`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/guard`, '422 422 403 403 303 404', { note: '' }],
  [`/workspaces/${workspace}/guard`, '303 303 403 403 303 404', { note: 'Cleaned' }],
  [`/workspaces/${workspace}/sending`, '400 400 403 403 303 404', { action: 'gone' }],
  [`/workspaces/${workspace}/webhooks`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/webhooks`, '200 200 403 403 303 404', { url: 'https://new.example/hook', 'batch.accepted': 'yes' }],
  [`/workspaces/${workspace}/webhooks`, '422 422 403 403 303 404', { url: 'ftp://new.example/' }],
  [`/workspaces/${workspace}/webhooks/${webhook}`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/webhooks/${webhook}?status=failed&before=9`, '200 200 403 403 303 404'],
  ...['test', 'pause', 'resume', 'replay'].map(
    (action): Line => [`/workspaces/${workspace}/webhooks/${webhook}`, '303 303 403 403 303 404', { action }],
  ),
  [`/workspaces/${workspace}/webhooks/${webhook}`, '200 200 403 403 303 404', { action: 'rotate' }],
  [`/workspaces/${workspace}/webhooks/${webhook}`, '400 400 403 403 303 404', { action: 'gone' }],
  [`/workspaces/${workspace}/webhooks/${webhookOfOther}`, '404 404 403 403 303 404'],
  [`/workspaces/${workspace}/webhooks/${webhookOfOther}`, '404 404 403 403 303 404', { action: 'delete' }],
  [`/workspaces/${workspace}/webhooks/none`, '404 404 403 403 303 404'],
  [`/workspaces/${workspace}/webhooks/${webhook}/delete`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/webhooks/${webhook}`, '303 404 403 403 303 404', { action: 'delete' }],
  [`/workspaces/${workspace}/settings`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/settings`, '303 303 403 403 303 404', { name: 'Acme' }],
  [`/workspaces/${workspace}/settings`, '422 422 403 403 303 404', { name: '' }],
  [`/workspaces/${workspace}/sender`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/sender`, '303 303 403 403 303 404', { name: 'Acme', postal_address: 'Oslo' }],
  [`/workspaces/${workspace}/sender`, '422 422 403 403 303 404', { accent_color: 'red' }],
  [`/workspaces/${workspace}/rules`, '200 200 403 403 303 404'],
  [`/workspaces/${workspace}/rules`, '200 200 403 403 303 404', { action: 'suggest' }],
  [`/workspaces/${workspace}/rules`, '422 422 403 403 303 404', { action: 'preview', restDays: 'x' }],
  [`/workspaces/${workspace}/rules`, '303 303 403 403 303 404', { action: 'save', rules: '{"restDays":30}' }],
  [`/workspaces/${workspace}/rules`, '200 200 403 403 303 404', { action: 'edit', rules: '{"closedDays":null}' }],
  [
    `/workspaces/${workspace}/rules`,
    '400 400 403 403 303 404',
    { action: 'edit', rules: '{"closedDays":"{[2030-01-01,2030-99-99)}"}' },
  ],
  [`/workspaces/${workspace}/rules`, '400 400 403 403 303 404', { action: 'save', rules: '{"restDays":0}' }],
  [`/workspaces/${workspace}/rules`, '400 400 403 403 303 404', { action: 'save', rules: '{"__proto__":1}' }],
  [`/workspaces/${workspace}/rules`, '400 400 403 403 303 404', { action: 'gone' }],
  [`/workspaces/${workspace}/test-workspaces`, '303 303 403 403 303 404', {}],
  [`/workspaces/${test}/test-workspaces`, '422 422 403 403 303 404', {}],
  [`/workspaces/${test}`, '200 200 200 200 303 404'],
  [`/surveys/${testSurvey}/results`, '200 200 200 200 303 404'],
  [`/workspaces/${test}/clock`, '200 200 200 403 303 404'],
  [`/workspaces/${test}/clock`, '422 422 422 403 303 404', { by: 'days', days: '401', now }],
  [`/workspaces/${test}/clock`, '422 422 422 403 303 404', { by: 'until', until: '2027-02-30T10:00', now }],
  [`/workspaces/${test}/clock`, '422 422 422 403 303 404', { by: 'until', until: '2000-01-01T10:00', now }],
  [`/workspaces/${test}/clock`, '422 422 422 403 303 404', { by: 'until', until: '9999-01-01T10:00', now }],
  [`/workspaces/${test}/clock`, '400 400 400 403 303 404', { by: '__proto__', now }],
  [`/workspaces/${test}/clock`, '400 400 400 403 303 404', { by: 'day', now: 'then' }],
  [`/workspaces/${test}/clock`, '303 303 303 403 303 404', { by: 'day', now }],
  [`/workspaces/${workspace}/clock`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/clock`, '404 404 404 403 303 404', { by: 'next', now }],
  [`/workspaces/${test}/outbox`, '200 200 200 403 303 404'],
  [`/workspaces/${test}/outbox?search=%00&before=x`, '200 200 200 403 303 404'],
  [`/workspaces/${test}/outbox/${testEmail}`, '200 200 200 403 303 404'],
  [`/workspaces/${test}/outbox/${testEmail}/preview`, '200 200 200 403 303 404'],
  [`/workspaces/${test}/outbox/none`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/outbox/${testEmail}`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/outbox`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/surveys/new`, '200 200 200 403 303 404'],
  [`/workspaces/${workspace}/surveys/new`, '303 303 303 403 303 404', { title: 'New', template: 'nps' }],
  [`/workspaces/${workspace}/surveys/new`, '422 422 422 403 303 404', { title: '', template: 'none' }],
  [`/surveys/${survey}/questions`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/questions`, '303 422 422 403 303 404', { action: 'add:score', version: '1' }],
  [`/surveys/${survey}/page?language=de&scheme=dark&view=answered`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/questions?confirm=discard`, '200 200 200 403 303 404'],
  [
    `/surveys/${survey}/questions`,
    '422 422 422 403 303 404',
    { action: 'publish', 'kind-0': 'text', 'id-0': 'a', 'label-0': '' },
  ],
  [`/surveys/${survey}/settings`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/settings`, '303 303 303 403 303 404', { action: 'save', title: 'Customer survey' }],
  [`/surveys/${survey}/settings`, '422 422 422 403 303 404', { action: 'save', title: '' }],
  [`/surveys/${survey}/settings`, '303 303 303 403 303 404', { action: 'duplicate', copyTitle: 'Copy' }],
  [`/surveys/${survey}/rules`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/rules`, '200 200 200 403 303 404', { action: 'preview', timeZone: 'asia/tokyo', maxDelayHours: '2 days' }],
  [`/surveys/${survey}/rules`, '422 422 422 403 303 404', { action: 'preview', timeZone: 'Tokio', maxDelayHours: '' }],
  [`/surveys/${survey}/rules`, '303 303 303 403 303 404', { action: 'save', rules: '{"timeZone":"Asia/Tokyo"}' }],
  [`/surveys/${survey}/rules`, '400 400 400 403 303 404', { action: 'save', rules: '{"restDays":30}' }],
  [`/surveys/${survey}/rules`, '400 400 400 403 303 404', { action: 'suggest' }],
  [`/surveys/${survey}/delete`, '200 200 403 403 303 404'],
  [`/surveys/${survey}/delete`, '422 422 403 403 303 404', { title: 'Another' }],
  [`/workspaces/${workspace}/invite`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invite`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invite`, '422 422 422 403 303 404', { list: ' ' }],
  [`/surveys/${survey}/invite`, '303 303 303 403 303 404', { list: 'cy@example.com' }],
  [`/surveys/${survey}/invite/${list}`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invite/${list}?outcome=invalid&after=x`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invite/${list}/email`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invite/${list}/not-invited.csv`, '200 200 200 403 303 404'],
  [`/surveys/${elsewhere.survey}/invite/${list}`, '404 404 404 404 303 404'],
  [`/surveys/${elsewhere.survey}/invite/${list}`, '404 404 404 404 303 404', { action: 'send' }],
  [`/surveys/${survey}/invite/none`, '404 404 404 403 303 404'],
  [`/surveys/${survey}/invite/${list}`, '303 303 303 403 303 404', { action: 'columns', column0: 'email' }],
  [`/surveys/${survey}/invite/${list}`, '422 422 422 403 303 404', { action: 'send', when: 'later', at: 'x' }],
  [`/surveys/${survey}/invite/${list}`, '422 422 422 403 303 404', { action: 'check', when: 'later', at: '2001-01-01T10:00' }],
  [`/surveys/${survey}/invite/${list}`, '400 400 400 403 303 404', { action: 'gone' }],
  [`/surveys/${survey}/invite/${list}`, '303 303 303 403 303 404', { action: 'send', when: 'now' }],
  [`/surveys/${survey}/invite/${list}`, '303 303 303 403 303 404', { action: 'cancel' }],
  [`/surveys/${survey}/forecast`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/sending`, '200 200 403 403 303 404'],
  [`/surveys/${survey}/sending`, '303 303 403 403 303 404', { action: 'pause' }],
  [`/surveys/${survey}/sending`, '303 303 403 403 303 404', { action: 'resume' }],
  [`/surveys/${survey}/sending`, '400 400 403 403 303 404', {}],
  [`/surveys/${survey}/invitations`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invitations?status=sent&search=a&batch=${batch}`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invitations/${invitation}`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/batches`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/test-invitation`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/preview`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/page?of=published`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invitations`, '303 303 303 403 303 404', { state: 'active' }],
  [`/surveys/${survey}/invitations`, '400 400 400 403 303 404', { state: 'gone' }],
  [`/surveys/${survey}/invitations/${invitation}`, '303 303 303 403 303 404', { action: 'cancel' }],
  [`/surveys/${survey}/invitations/${invitation}`, '303 303 303 403 303 404', { action: 'retry' }],
  [`/surveys/${survey}/batches/${batch}`, '303 303 303 403 303 404', { action: 'retry' }],
  [`/surveys/${survey}/batches/${batch}`, '303 303 303 403 303 404', { action: 'cancel' }],
  [`/surveys/${survey}/invitations?confirm=remind`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invitations?batch=${batch}&confirm=remind`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/invitations/${invitation}`, '303 303 303 403 303 404', { action: 'remind' }],
  [`/surveys/${survey}/batches/${batch}`, '303 303 303 403 303 404', { action: 'remind' }],
  [`/surveys/${survey}/invitations`, '303 303 303 403 303 404', { action: 'remind' }],
  [`/surveys/${survey}/invitations`, '400 400 400 403 303 404', { action: 'gone' }],
  [`/surveys/${elsewhere.survey}/batches/${batch}`, '404 404 404 404 303 404', { action: 'remind' }],
  [`/surveys/${survey}/test-invitation`, '303 303 303 403 303 404', { token, kind: 'reminder' }],
  [`/surveys/${survey}/test-invitation`, '422 422 422 403 303 404', { token: 'none' }],
  [`/surveys/${survey}/invitations/none`, '404 404 404 403 303 404'],
  [`/surveys/${elsewhere.survey}/invitations/${invitation}`, '404 404 404 404 303 404'],
  [`/surveys/${elsewhere.survey}/batches/${batch}`, '404 404 404 404 303 404', { action: 'cancel' }],
  [`/surveys/${survey}/api-trigger`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/new`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/new`, '200 200 200 403 303 404', { name: 'New', cooldownSeconds: '60' }],
  [`/surveys/${survey}/api-trigger/${token}`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}`, '303 303 303 403 303 404', tokenFields],
  [`/surveys/${survey}/api-trigger/${token}/preview`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/preview`, '200 200 200 403 303 404', tokenFields],
  [`/surveys/${survey}/api-trigger/${token}/sender`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/sender`, '303 303 303 403 303 404', { name: 'Shop' }],
  [`/surveys/${survey}/api-trigger/${token}/sender`, '422 422 422 403 303 404', { logo_url: 'http://a.example' }],
  [`/surveys/${survey}/api-trigger/${token}/translations?language=de`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/translations`, '303 303 303 403 303 404', { language: 'de', subject: 'Hallo' }],
  [`/surveys/${survey}/api-trigger/${token}/translations`, '404 404 404 403 303 404', { language: '?' }],
  [`/surveys/${survey}/languages?language=de`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/languages`, '303 303 303 403 303 404', { action: 'original', original: 'en' }],
  [`/surveys/${survey}/languages`, '303 303 303 403 303 404', { action: 'translate', language: 'de', title: 'Umfrage' }],
  [`/surveys/${survey}/languages`, '422 422 422 403 303 404', { action: 'translate', language: 'de', title: 'x'.repeat(256) }],
  [`/surveys/${survey}/api-trigger/${token}/reading`, '303 303 403 403 303 404', { allow: 'yes' }],
  [`/surveys/${survey}/api-trigger/${token}/rest`, '303 303 403 403 303 404', { ignore: 'yes' }],
  [`/surveys/${survey}/api-trigger/${token}/secret`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/secret`, '200 200 200 403 303 404', { keep: '3600' }],
  [`/surveys/${survey}/api-trigger/${token}/secret/end`, '303 303 303 403 303 404', {}],
  [`/surveys/${survey}/api-trigger/${token}/delete`, '200 200 200 403 303 404'],
  [`/surveys/${survey}/api-trigger/${token}/delete`, '303 404 404 403 303 404', {}],
  [`/surveys/${survey}/api-trigger/${ofOther.token}`, '404 404 404 403 303 404'],
  [`/surveys/${survey}/api-trigger/${ofOther.token}/delete`, '404 404 404 403 303 404', {}],
  [`/surveys/${survey}/api-trigger/no-such-token`, '404 404 404 403 303 404'],
  [`/workspaces/${workspace}/notifications`, '200 200 200 200 303 404'],
  [`/workspaces/${workspace}/notifications`, '303 303 303 303 303 404', { report: 'yes', timeZone: 'Asia/Tokyo' }],
  [`/workspaces/${workspace}/notifications`, '422 422 422 422 303 404', { report: 'yes', timeZone: 'Tokio' }],
  [`/workspaces/${workspace}/notifications`, '303 303 303 303 303 404', { report: 'no' }],
  [`/workspaces/${test}/notifications`, '200 200 200 200 303 404'],
  [`/workspaces/${test}/notifications`, '422 422 422 422 303 404', { report: 'yes' }],
  [`/surveys/${survey}/notifications`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/notifications`, '303 303 303 303 303 404', { question: 'score', below: '4' }],
  [`/surveys/${survey}/notifications`, '422 422 422 422 303 404', { question: 'score', below: '4.5' }],
  [`/surveys/${survey}/notifications`, '422 422 422 422 303 404', { question: 'none', below: '4' }],
  [`/surveys/${survey}/notifications`, '303 303 303 303 303 404', { action: 'stop' }],
  [`/surveys/${testSurvey}/notifications`, '200 200 200 200 303 404'],
  [`/notifications/none0000${'A'.repeat(33)}/weekly-report`, '200 200 200 200 200 200'],
  [`/notifications/none0000${'A'.repeat(33)}/weekly-report`, '200 200 200 200 200 200', {}],
  ['/notifications/none/weekly-report', '404 404 404 404 404 404'],
  [`/surveys/${survey}/results`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/results?key=order&value=1&before=9`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/results?key=+&value=1`, '422 422 422 422 303 404'],
  [`/surveys/${survey}/results?key=%00&value=%00&before=x`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/responses/${response}`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/responses/1${response}9`, '404 404 404 404 303 404'],
  [`/surveys/${survey}/responses/none`, '404 404 404 404 303 404'],
  [`/surveys/${testSurvey}/responses/${response}`, '404 404 404 404 303 404'],
  [`/surveys/${survey}/results.csv`, '200 200 200 200 303 404'],
  [`/surveys/${survey}/results.csv?value=1`, '400 400 400 400 303 404'],
  ['/surveys/no-such-survey/results.csv', '404 404 404 404 303 404'],
  ['/workspaces/no-such-workspace', '404 404 404 404 303 404'],
  ['/surveys/no-such-survey/results', '404 404 404 404 303 404'],
  ['/surveys/%00/results', '404 404 404 404 303 404'],
  ['/workspaces/no/such/page', '404 404 404 404 404 404'],
  [`/surveys/${survey}/no-such-page`, '404 404 404 404 404 404'],
  ['/sign-in', '200 200 200 200 200 200', { email: 'nobody@example.com' }],
  ['/sign-in/no-such-link', '410 410 410 410 410 410'],
  ['/sign-in/no-such-link', '410 410 410 410 410 410', {}],
  ['/sign-in-again', '200 200 200 200 303 200', {}],
  ['/sessions', '200 200 200 200 303 200'],
  ['/signed-out', '303 303 303 303 200 303'],
  ['/sessions', '303 303 303 303 303 303', { action: 'end', session: 'none' }],
  ['/sessions', '303 303 303 303 303 303', { action: 'others' }],
  ['/sessions', '303 303 303 303 303 303', {}],
  ['/sign-out', '303 303 303 303 303 303', {}],
];

t.test('another workspace and a missing one get the same response', async (t) => {
  const text = async (path: string) =>
    (await (await visit(url, path, visitors.other)).text()).replaceAll(/Request [\w-]+|value="[\w-]+"/g, '');
  for (const page of ['', '/members', '/audit', '/recipients', '/do-not-email', '/sending']) {
    t.equal(await text(`/workspaces/${workspace}${page}`), await text(`/workspaces/none${page}`));
  }
  t.equal(await text(`/surveys/${survey}/results`), await text('/surveys/none/results'));
});

t.comment(`${''.padEnd(60)} ${NAMES.join(' ')}`);
for (const [path, statuses, fields] of lines) {
  const shown = path
    .replace(test, 'X')
    .replace(workspace, 'W')
    .replace(survey, 'S')
    .replace(token, 'T')
    .replace(ofOther.token, 'O');
  const what = fields === undefined ? `GET ${shown}` : `POST ${shown} ${JSON.stringify(fields)}`;
  t.test(what, async (t) => {
    const found: number[] = [];
    for (const name of NAMES) found.push((await visit(url, path, visitors[name], fields)).status);
    t.comment(`${what.padEnd(60)} ${found.join(' ')}`);
    t.equal(found.join(' '), statuses);
  });
}

t.test('every page and form of the console has a line in this table', async (t) => {
  const visited = lines.map(([path, , fields]) => `${fields === undefined ? 'GET' : 'POST'} ${path.replace(/\?.*/, '')}`);
  for (const [method, pattern] of CONSOLE_ROUTES) {
    const fits = new RegExp(`^${method} ${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    t.ok(
      visited.some((request) => fits.test(request)),
      `${method} ${pattern}`,
    );
  }
});

t.test("each form is rejected without its session's token", async (t) => {
  // The owner's session above has ended, because the lines include signing out.
  const owner = await openSession(store, 'owner@example.com');
  for (const [path, , fields] of lines) {
    // People who are signing in have no session yet, and an email program that stops notifications has none.
    if (fields === undefined || /^\/(sign-in|notifications\/)/.test(path)) continue;
    for (const csrf of ['', 'x'.repeat(43)]) {
      const answer = await visit(url, path, owner, { ...fields, csrf });
      t.equal(answer.status, 403, path);
      t.match(Object.fromEntries(answer.headers), { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    }
  }
});
