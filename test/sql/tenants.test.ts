// A workspace finds the same rows whatever other workspaces have. This is tested with and without 10,000 invitations of another workspace
// that also has its addresses.
import t from 'tap';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';
import { acceptTrigger } from '../fixtures/trigger.ts';

const { sql, store } = await createTestDatabase(t);

/** Creates a workspace with two surveys, an editor, and a function that invites. */
async function createWorkspace() {
  const { workspace, survey } = await createSurvey(store, { state: 'draft' });
  const second = await store.upsertSurvey({ workspaceId: workspace, title: 'Second survey', state: 'draft' });
  const hashes = [(await createToken(store, survey)).hash, (await createToken(store, second)).hash];
  const { session } = await createMember(store, workspace, 'editor', `editor-${survey}@example.com`);
  const invite = async (emails: readonly string[], to = 0) => {
    const recipients = emails.map((email, index) => ({ email, name: `Pia Common${index}`, metadata: { order: `A-${index}` } }));
    const answer = await acceptTrigger(store, hashes[to] as Buffer, { recipients }, 100_000);
    t.equal(answer.outcome, 'accepted');
  };
  return { workspace, surveys: [survey, second], session, invite };
}

const OWN = [
  'pia.b@hid.example',
  'Pia.C@hid.example',
  'pia.d@shared.example',
  'zoë@shared.example',
  `${'l'.repeat(64)}@${'long.'.repeat(36)}example`,
];
/** These addresses sort before, between, equal to and after the workspace's own. */
const foreign = (index: number) =>
  index < OWN.length ? (OWN[index] as string) : `${['a', 'pia.', 'pia.c', 'pia.d@h', 'zz'][index % 5]}${index}@hid.example`;

t.test(
  'a search finds the same, page by page, with and without 10,000 invitations of others that have its addresses',
  async (t) => {
    const own = await createWorkspace();
    await own.invite(OWN);
    await own.invite([...OWN].reverse(), 1);
    await own.invite(OWN);
    for (let run = 0; run < 2; run += 1) await store.indexRecipients();

    const beginnings = new Set([
      'common1',
      'pia common2',
      'a-1',
      ...OWN.flatMap((email) => [1, 3, 4, 5, 6, 9, 12, email.length].map((end) => email.slice(0, end))),
    ]);
    const answers = async () => {
      const found: unknown[] = [];
      for (const search of beginnings) {
        found.push([search, await store.console.listRecipients(own.session, own.workspace, { search }, 3)]);
        for (const survey of own.surveys) {
          const ids = await store.console.listInvitations(own.session, survey, { search }, 50);
          found.push([search, ids]);
          for (const { id } of ids)
            found.push([search, id, await store.console.listInvitations(own.session, survey, { search, before: id }, 2)]);
        }
      }
      // With a bound of 4, each foreign row that is read would leave one row less in the result.
      const bounded = await sql`
      select x.search, console.search_people(${own.workspace}, x.search, 50, 4) as people, console.search_values(${own.workspace}, x.search, 50, 4) as found,
        console.search_invitations(${own.surveys[0] as string}, x.search, null, null, 50, 4) as invitations
      from unnest(${[...beginnings]}::text[]) as x (search)`;
      return [...found, ...bounded];
    };
    const before = await answers();

    const other = await createWorkspace();
    for (let batch = 0; batch < 10; batch += 1) {
      await other.invite(
        Array.from({ length: 1000 }, (_, index) => foreign(batch * 1000 + index)),
        batch % 2,
      );
    }
    for (let run = 0; run < 20; run += 1) await store.indexRecipients();
    t.strictSame(await answers(), before);
  },
);

t.test("nobody can choose a text that has the term of another workspace's", async (t) => {
  // The second was made for the first: PostgreSQL's hash is the same.
  const [theirs, chosen] = [
    ['acme', 'smith'],
    ['rival', 'bxxxxxs`+5a(jrsobx'],
  ] as const;
  const [row] = await sql`
    select hashtextextended(${theirs.join(' ')}, 0) = hashtextextended(${chosen.join(' ')}, 0) as same_hash,
      invite.term(${theirs[0]}, ${theirs[1]}) = invite.term(${chosen[0]}, ${chosen[1]}) as same_term`;
  t.match(row, { same_hash: true, same_term: false });
});
