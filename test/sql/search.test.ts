// What a search finds in a workspace: persons by any part of name and address, comments by their words; and what stays of them when they are erased.
import t from 'tap';
import { idsOf } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { createTestToken } from '../fixtures/test-workspaces.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);

type Recipient = { email: string; name?: string; metadata?: Record<string, unknown> };

/** Creates a workspace with a survey and an editor. */
async function setup() {
  const { workspace, survey } = await createSurvey(store);
  const { hash } = await createToken(store, survey);
  const { session } = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  const viewer = await createMember(store, workspace, 'viewer', `viewer-${survey}@example.com`);
  const invite = async (...recipients: Recipient[]) => {
    const answer = await acceptTrigger(store, hash, { recipients }, 10_000);
    t.equal(answer.outcome, 'accepted');
    // It takes two runs: the first sees an invitation, and the next indexes it.
    for (const _ of ['see', 'index']) await store.indexRecipients();
  };
  const search = (text: string, rows = 10, member = session) => store.console.search(member, workspace, text, rows);
  const people = async (text: string, rows?: number) =>
    (await search(text, rows)).filter(({ found }) => found === 'person').map(({ email }) => email?.split('@')[0]);
  const comments = async (text: string, rows?: number) =>
    (await search(text, rows)).filter(({ found }) => found === 'response').map(({ detail }) => detail);
  const respond = async (comment: unknown, more = {}, at?: Date) =>
    sql`select invite.record_response(${survey}, ${sql.json({ score: 7, comment, ...more } as never)}, at => ${at ?? null})`;
  const persons = async () =>
    (await sql`select email, name from invite.persons where workspace_id = ${workspace} order by email`).map((row) => ({
      ...row,
    }));
  return { workspace, survey, session, viewer: viewer.session, invite, search, people, comments, respond, persons };
}

t.test('a person is found by any part of name and address from three letters, in any order, case and place', async (t) => {
  const { invite, people } = await setup();
  await invite(
    { email: 'Amara.Okafor@Example.com', name: 'Amara  Okafor' },
    { email: 'li@example.org', name: 'Wu Li' },
    { email: 'x.o@example.net' },
  );
  for (const text of ['okaf', 'OKAFOR', 'kafo', 'amara okafor', 'okaf amar', 'mara.ok', '@example.com', 'example.c oka'])
    t.strictSame(await people(text), ['Amara.Okafor'], text);
  t.strictSame(await people('example'), ['x.o', 'li', 'Amara.Okafor'], 'the most recently invited first');
  t.strictSame(await people('example', 2), ['x.o', 'li']);
  for (const text of ['okafx', 'okafor li', 'amara okafor x', 'mar afo ok.a']) t.strictSame(await people(text), [], text);
  t.strictSame(await people('wu'), ['li'], 'two letters begin a word');
  t.strictSame(await people('u'), []);
  t.strictSame(await people('x'), ['x.o'], 'one letter begins an address');
  t.strictSame(await people('amara o'), ['Amara.Okafor'], 'while the second word is typed');
});

t.test('accents are as their letters, in six scripts, and Chinese and Japanese are found by two characters', async (t) => {
  const { invite, people } = await setup();
  const names: [name: string, ...finds: string[]][] = [
    ['Jürgen Müßig', 'jurgen', 'JÜRGEN', 'mussig', 'müßig'],
    ['Søren Łukasz', 'soren', 'lukasz', 'søren'],
    ['Νίκος Παπάς', 'νικος', 'νίκος', 'παπ'],
    ['Фёдор Чайковский', 'федор', 'чайков', 'ковск'],
    ['أحمد الخطيب', 'احمد', 'أحمد', 'خطي'],
    ['שָׁלוֹם כהן', 'שלום', 'כהן'],
    ['李小龙', '李小', '小龙', '李小龙'],
    ['山田 たろう', '山田', 'たろ', 'ろう'],
    ['김민수', '김민', '민수'],
    ['สมชาย', 'สม', 'ชาย'],
  ];
  for (const [index, [name]] of names.entries()) await invite({ email: `n${index}@example.com`, name });
  for (const [index, [, ...finds]] of names.entries())
    for (const text of finds) t.strictSame(await people(text), [`n${index}`], text);
  await invite({ email: 'jörg@example.com' });
  t.strictSame(await people('jorg'), ['jörg']);
});

t.test('what is entered is text: no pattern, however long or odd', async (t) => {
  const { invite, people, search, comments, respond } = await setup();
  await invite({ email: 'odd@example.com', name: "100%_sure \\ 'quoted'" }, { email: 'even@example.com', name: '1000 surely' });
  await respond('50%_off \\ "now"');
  t.strictSame(await people('100%_sure'), ['odd']);
  t.strictSame(await people("'quoted'"), ['odd']);
  for (const text of [
    '%%%',
    '___',
    '1_0',
    '100%sure',
    '\\\\\\',
    'o%d',
    '(.*)',
    '[[:alpha:]]',
    ':*',
    "'",
    '\t\n',
    ' ',
    '\u{10ffff}\u{10ffff}\u{10ffff}',
  ])
    t.strictSame(
      (await search(text)).filter(({ found }) => found !== 'response'),
      [],
      text,
    );
  for (const text of ['%%%', '50_', 'n%w', '\\\\']) t.strictSame(await comments(text), [], text);
  t.equal((await comments('50%_off')).length, 1, 'signs separate words');
  for (const text of ['ab'.repeat(32_768), 'a b '.repeat(16_384), '%_'.repeat(32_768), '李'.repeat(20_000), 'ﷺ'.repeat(20_000)])
    t.strictSame(await search(text), [], `${text.length}`);
});

t.test('a name is the latest that the person had, and a row is written only if something changes', async (t) => {
  const { workspace, invite, people, persons } = await setup();
  await invite({ email: 'p@example.com', name: 'Ada Byron' });
  const version = async () => (await sql`select xmin::text from invite.persons where workspace_id = ${workspace}`)[0]?.xmin;
  const first = await version();
  await invite({ email: 'P@example.com', name: 'ADA  BYRON' });
  await invite({ email: 'p@example.com' });
  t.equal(await version(), first);
  await invite({ email: 'p@example.com', name: 'Ada Lovelace' });
  t.strictSame(await people('byron'), []);
  t.strictSame(await people('lovelace'), ['p']);
  t.strictSame(await persons(), [{ email: 'p@example.com', name: 'ada lovelace' }]);
});

t.test('no workspace finds what another has, with the same addresses', async (t) => {
  const one = await setup();
  const other = await setup();
  await one.invite({ email: 'shared@example.com', name: 'Mine Alone', metadata: { order: 'o-1' } });
  await other.invite({ email: 'shared@example.com', name: 'Yours Only' });
  await one.respond('secretive words');
  t.strictSame(await one.people('mine alone'), ['shared']);
  t.strictSame(await other.search('mine alone'), []);
  t.strictSame(await other.search('o-1'), []);
  t.strictSame(await other.search('secretive'), []);
  t.strictSame(await other.people('share'), ['shared']);
  await store.eraseEmail(one.workspace, 'shared@example.com', false);
  t.strictSame(await one.persons(), []);
  t.strictSame(await other.people('yours only'), ['shared']);
});

t.test('erasing a person leaves nothing that finds them; a name of an erased invitation goes too', async (t) => {
  const { workspace, survey, invite, search, persons } = await setup();
  await invite({ email: 'gone@example.com', name: 'Gone Girl', metadata: { order: 'g-1' } });
  await invite({ email: 'kept@example.com', name: 'Kept First' });
  await invite({ email: 'kept@example.com', name: 'Kept Last' });
  await store.eraseEmail(workspace, 'gone@example.com', false);
  t.strictSame(await search('girl'), []);
  t.match(await search('g-1'), [{ found: 'invitation', email: null }], 'the metadata stays');
  t.strictSame(await persons(), [{ email: 'kept@example.com', name: 'kept last' }]);
  const ids = await idsOf(sql, survey);
  const newest = ids.map(Number).sort((a, b) => b - a)[0] ?? 0;
  await sql`delete from invite.invitations where id = ${newest}`;
  t.strictSame(await persons(), [{ email: 'kept@example.com', name: 'kept first' }], 'named as the newest that is left');
  await sql`delete from invite.invitations where survey_id = ${survey}`;
  t.strictSame(await persons(), []);
});

t.test('comments are found by the beginnings of their words, newest first, also those of years ago', async (t) => {
  const { comments, respond } = await setup();
  const at = (days: number) => new Date(Date.UTC(2030, 0, 1) - days * 86_400_000);
  await respond('The delivery was LATE, again!', {}, at(1000));
  await respond('Late but friendly', {}, at(1));
  await respond('配送が遅かった。', {}, at(400));
  await respond('Trés décevant: ça n’arrive jamais', {}, at(30));
  await respond(9, { why: 'no text question, but words' }, at(20));
  await respond('', {}, at(10));
  t.strictSame(await comments('late'), ['Late but friendly', 'The delivery was LATE, again!']);
  t.strictSame(await comments('late', 1), ['Late but friendly']);
  t.strictSame(await comments('again deliv'), ['The delivery was LATE, again!']);
  t.strictSame(await comments('elivery'), [], 'a word from its beginning');
  t.strictSame(await comments('late delivered'), []);
  t.strictSame(await comments('遅か'), ['配送が遅かった。']);
  t.strictSame(await comments('decevant tres'), ['Trés décevant: ça n’arrive jamais']);
  t.strictSame(await comments('arriv'), ['Trés décevant: ça n’arrive jamais']);
  t.strictSame(await comments('question words'), ['no text question, but words']);
  t.strictSame(await comments('a'), [], 'too short');
});

t.test('what was answered is found as long as it is there, and choices are no comments', async (t) => {
  const { survey, workspace, comments, respond, invite } = await setup();
  const channel = { id: 'channel', type: 'choice', label: 'How?', required: false, choices: ['Shop', 'Website'] };
  await sql`update invite.surveys set questions = questions || ${sql.json([channel])} where id = ${survey}`;
  await respond('erasable words', { channel: 'Website' });
  t.equal((await comments('erasable')).length, 1);
  t.strictSame(await comments('website'), []);
  await sql`update invite.responses set answers = answers || '{"comment": "changed since"}' where survey_id = ${survey}`;
  t.strictSame(await comments('erasable'), []);
  t.equal((await comments('changed')).length, 1);
  await sql`delete from invite.responses where survey_id = ${survey}`;
  t.strictSame([...(await sql`select from invite.comments where workspace_id = ${workspace}`)], []);
  await invite({ email: 'c@example.com' });
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await store.submitResponse(survey, { comment: 'call me' }, row?.link_token);
  t.equal((await comments('call')).length, 1);
  await sql`update invite.messages set not_before = null, sweep_at = null, status = 'answered' where survey_id = ${survey}`;
  t.match(await store.eraseEmail(workspace, 'c@example.com', false, true), { responses: 1 });
  t.strictSame([...(await sql`select from invite.comments where workspace_id = ${workspace}`)], []);
});

t.test('in a test workspace, people and comments are found at once, and the real one has nothing of them', async (t) => {
  const { workspace, session, search } = await setup();
  const tested = await store.createTestWorkspace(workspace, undefined);
  const [row] = await sql`select id from invite.surveys where workspace_id = ${tested}`;
  const { hash } = await createTestToken(store, row?.id);
  const recipients = [{ email: 'tess@example.com', name: 'Tess Probe' }, { email: 'other@example.com' }];
  t.match(await acceptTrigger(store, hash, { recipients }, 10_000), { outcome: 'accepted' });
  await sql`select invite.record_response(${row?.id}, '{"comment": "only probing"}')`;
  const inTest = (text: string) => store.console.search(session, tested, text, 5);
  t.match(await inTest('prob tes'), [{ found: 'person', email: 'tess@example.com' }]);
  t.match(await inTest('probing'), [{ found: 'response', detail: 'only probing' }]);
  t.strictSame(await search('prob'), []);
});

t.test('viewers find surveys and comments, and no person, order or address', async (t) => {
  const { survey, invite, search, viewer } = await setup();
  await invite({ email: 'v@example.com', name: 'Vera Visible Person', metadata: { order: 'v-1' } });
  const [row] = await sql`select link_token from test.invitations where survey_id = ${survey}`;
  await store.submitResponse(survey, { comment: 'visible words of vera' }, row?.link_token);
  t.match(await search('visible'), [
    { found: 'person', email: 'v@example.com', name: 'Vera Visible Person' },
    { found: 'response', email: 'v@example.com', name: 'Vera Visible Person' },
  ]);
  t.match(await search('visible', 10, viewer), [{ found: 'response', email: null, name: null, detail: 'visible words of vera' }]);
  for (const text of ['v@example.com', 'vera visible person', 'v-1']) t.strictSame(await search(text, 10, viewer), [], text);
  t.match(await search('customer', 10, viewer), [{ found: 'survey', surveyId: survey }]);
});

t.test("the keys of a workspace are beside each other, and none is another's", async (t) => {
  const [row] = await sql`
    select
      array(select distinct k >> 32 from unnest(invite.person_keys('one', 'ada@example.com', 'ada 王小明') || invite.search_keys('one', '{ada,bob}')) as k) as one,
      array(select distinct k >> 32 from unnest(invite.person_keys('two', 'ada@example.com', 'ada 王小明') || invite.search_keys('two', '{ada,bob}')) as k) as two`;
  t.equal(row?.one.length, 1);
  t.equal(row?.two.length, 1);
  t.not(row?.one[0], row?.two[0]);
});
