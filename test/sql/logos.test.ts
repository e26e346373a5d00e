// The stored logos: under a name there is never another picture, old ones stay for the emails that show them, and none is another workspace's.
import { createHash } from 'node:crypto';
import t from 'tap';
import { checkLogo } from '../../src/uploads/logo.ts';
import { constraint, sqlstate } from '../fixtures/inspect.ts';
import { chunk, jpeg, png } from '../fixtures/pictures.ts';
import { createSurvey, createTestDatabase, createToken } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);
const numbered = (number: number) => checkLogo(png(16, 16, chunk('tEXt', Buffer.from(`n\0${number}`))));
const partsOf = (path: string) => [path.slice(6, 14), path.slice(14)] as const;

t.test('a logo is found by the home of its workspace and its name, and by nothing else', async (t) => {
  const [one, other] = [await createSurvey(store), await createSurvey(store)];
  const logo = checkLogo(png(240, 80));
  const path = await store.addLogo(one.workspace, logo);
  t.equal(path, `/logo/${await store.homeOf(one.workspace)}${logo.name}`);
  t.notMatch(path, one.workspace);
  t.ok((await store.findLogo(...partsOf(path)))?.equals(logo.picture));
  t.equal(await store.findLogo(await store.homeOf(other.workspace), logo.name), null, "it isn't another workspace's");
  t.equal(await store.findLogo('aaaabbbb', logo.name), null);
  t.equal(await store.addLogo(one.workspace, logo), path, 'the same again');
  t.not(await store.addLogo(other.workspace, logo), path, 'each workspace has its own');
  t.equal(await sqlstate(store.addLogo('none', logo)), 'P0002');
});

t.test('the database takes no picture under a name that is not its', async (t) => {
  const { workspace } = await createSurvey(store);
  const add = (name: string, picture: Buffer) => constraint(store.addLogo(workspace, { name, picture }));
  const named = (picture: Buffer, rest: string) => createHash('sha256').update(picture).digest('hex').slice(0, 32) + rest;
  const good = png(16, 16);
  for (const rest of ['-1x16.png', '-16x20000.png', '-16x16.svg', '-16x16.png/x', '-016x16.png', ''])
    t.equal(await add(named(good, rest), good), 'logos_name_form', rest);
  t.equal(await add(named(jpeg(16, 16), '-16x16.png'), good), 'logos_name_of_picture');
  t.equal(await add(named(jpeg(16, 16), '-16x16.png'), jpeg(16, 16)), 'logos_picture_kind');
  const svg = Buffer.from('<svg/>');
  t.equal(await add(named(svg, '-16x16.jpg'), svg), 'logos_picture_kind');
  const large = Buffer.concat([good, Buffer.alloc(204_801 - good.length)]);
  t.equal(await add(named(large, '-16x16.png'), large), 'logos_picture_size');
});

t.test('the newest 50 stay, and those that a sender names', async (t) => {
  const { workspace, survey } = await createSurvey(store);
  const { token } = await createToken(store, survey);
  const paths: string[] = [];
  const add = async (number: number) => {
    paths[number] = await store.addLogo(workspace, numbered(number));
    await sql`update invite.logos set added_at = to_timestamp(${number}) where name = ${numbered(number).name}`;
  };
  for (let number = 0; number < 3; number += 1) await add(number);
  await store.setWorkspaceSender(workspace, { logo_url: String(paths[0]) });
  await store.updateTriggerToken(token, { sender: { logo_url: String(paths[1]) } });
  for (let number = 3; number < 52; number += 1) await add(number);
  const isThere = async (number: number) => (await store.findLogo(...partsOf(String(paths[number])))) !== null;
  t.same(
    await Promise.all([0, 1, 2, 3, 51].map(isThere)),
    [true, true, true, true, true],
    'there are 52, of which two are in use',
  );
  await store.addLogo(workspace, numbered(52));
  t.same(await Promise.all([0, 1, 2, 3, 51].map(isThere)), [true, true, false, true, true]);
  await store.setWorkspaceSender(workspace, { logo_url: '' });
  await store.addLogo(workspace, numbered(53));
  t.same(await Promise.all([0, 1, 3, 51].map(isThere)), [false, true, false, true]);
});
