// Choices have ids, so that a renamed one keeps its translation wherever it is, and is marked.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store } = await createTestDatabase(t);

const choice = (choices: readonly string[], more: object = {}) => ({
  id: 'w.x',
  type: 'choice',
  label: 'Where?',
  choices,
  ...more,
});

async function setup(...choices: string[]) {
  const { workspace, survey } = await createSurvey(store);
  const ask = (...questions: object[]) => store.upsertSurvey({ workspaceId: workspace, id: survey, questions } as never);
  const row = async () =>
    (
      await sql`select questions, translations, translated_from, questions_version, xmin::text as writer from invite.surveys where id = ${survey}`
    )[0];
  await ask(choice(choices));
  await store.setSurveyTranslation(survey, 'sv', {
    questions: { 'w.x': { choices: Object.fromEntries(choices.map((text) => [text, `sv ${text}`])) } },
  });
  return {
    ...{ workspace, survey, ask, row },
    rename: (...choices: string[]) => ask(choice(choices)),
    translated: async () => (await row())?.translations.sv.questions['w.x'].choices,
    marked: async () => (await row())?.translated_from.sv.choices?.['w.x'] ?? {},
    ids: async (): Promise<string[]> => (await row())?.questions[0].choice_ids,
  };
}

t.test('a choice keeps its id and its translation when it is renamed, moved, or another one is deleted', async (t) => {
  const { rename, ids, translated, marked } = await setup('A', 'B', 'C', 'D');
  const [a, b, c, d] = await ids();
  t.equal(new Set([a, b, c, d]).size, 4);
  await rename('D', 'A', 'B', 'C');
  t.same(await ids(), [d, a, b, c], 'moved');
  await rename('D', 'A', 'C');
  t.same(await ids(), [d, a, c], 'deleted in the middle');
  await rename('D', 'A', 'See');
  t.same([await ids(), await marked()], [[d, a, c], { See: 'C' }], 'renamed');
  t.equal((await translated()).See, 'sv C');
  await rename('A', 'Sea', 'New', 'D');
  t.same(
    (await ids()).filter((id) => id !== a && id !== d).includes(c as string),
    false,
    'one gone and two new: nobody can tell which it was',
  );
  t.equal((await translated()).New, undefined);
});

t.test('one choice is renamed while another is deleted or added elsewhere', async (t) => {
  const { rename, ids, translated } = await setup('A', 'B', 'C', 'D');
  const [a, , c, d] = await ids();
  await rename('A', 'C', 'Dee');
  t.same(await ids(), [a, c, d]);
  await rename('Aye', 'C', 'Dee', 'E');
  t.same((await ids()).slice(0, 3), [a, c, d]);
  t.match(await translated(), { Aye: 'sv A', Dee: 'sv D' });
  t.equal((await translated()).E, undefined);
});

t.test('an editor is followed save by save: deleting one and renaming the next is no renaming of the first', async (t) => {
  const { workspace, survey, ids, translated, row } = await setup('A', 'B', 'C', 'D');
  const { session } = await createMember(store, workspace, 'editor');
  const [a, , c, d] = await ids();
  const questionsVersion = (await row())?.questions_version;
  let base: string | null = null;
  const type = async (...choices: string[]) => {
    const revision = randomUUID();
    const questions = [choice(choices)] as never;
    const saved = await store.console.saveQuestionDraft(session, survey, { questions, questionsVersion, base, revision });
    t.equal(saved.isSaved, true);
    base = revision;
    return questions;
  };
  await type('A', 'C', 'D');
  await type('A', 'See', 'D');
  await type('D', 'A', 'See');
  await type('D', 'A');
  await type('D', 'A', 'S');
  const questions = await type('D', 'Aye', 'S');
  await store.console.publishQuestions(session, survey, { questions, questionsVersion, revision: base });
  t.same((await ids()).slice(0, 2), [d, a]);
  t.not((await ids())[2], c, 'whose line was emptied meanwhile is new');
  t.match(await translated(), { D: 'sv D', Aye: 'sv A' });
});

t.test('ids that are given say which choice it is; others are as those who know of no ids write them', async (t) => {
  const { ask, ids, translated } = await setup('A', 'B', 'C');
  const [a, b, c] = await ids();
  await ask(choice(['Sea', 'Aye'], { choice_ids: [c, a] }));
  t.same(await ids(), [c, a]);
  t.match(await translated(), { Aye: 'sv A', Sea: 'sv C' });
  await ask(choice(['B', 'Sea', 'Aye'], { choice_ids: ['x', 1, a] }));
  t.same((await ids()).slice(1), [c, a], 'what is no list of ids counts as none');
  await ask(choice(['Aye', 'Sea'], { choice_ids: [c, a] }));
  t.same(await ids(), [a, c], 'the same words are the same choice');
  await ask(choice(['Aye', 'A'], { choice_ids: [a, a] }));
  t.equal(new Set([...(await ids()), b]).size, 3, 'each has one of its own');
});

t.test('a product that says its questions again without ids changes nothing', async (t) => {
  const { rename, row } = await setup('A', 'B');
  const before = await row();
  await rename('A', 'B');
  t.same(await row(), before);
  await rename('A', 'B', 'C');
  t.equal((await row())?.questions_version, before?.questions_version + 1);
});

t.test('a copy has the ids, and renames choices on its own', async (t) => {
  const { survey, workspace, ids } = await setup('A', 'B');
  const copy = (await sql`select invite.duplicate_survey(${survey}) as id`)[0]?.id;
  await store.upsertSurvey({ workspaceId: workspace, id: copy, questions: [choice(['Aye', 'B'])] as never });
  const [row] = await sql`select questions, translations from invite.surveys where id = ${copy}`;
  t.same(row?.questions[0].choice_ids, await ids());
  t.equal(row?.translations.sv.questions['w.x'].choices.Aye, 'sv A');
});

t.test('the size of questions is counted without ids, and 50 long choices have 50 ids', async (t) => {
  const { ask, ids } = await setup('A');
  const choices = Array.from({ length: 50 }, (_, index) => `${index} ${'ж'.repeat(250)}`);
  await ask(choice(choices));
  t.equal(new Set(await ids()).size, 50);
  const many = Array.from({ length: 4 }, (_, number) => ({
    ...choice(Array.from({ length: 50 }, (_, index) => `${number} ${index} ${'x'.repeat(240)}`)),
    id: `q${number}`,
  }));
  const size = JSON.stringify(many).length;
  const filled = [...many, { id: 'z', type: 'text', label: 'x' }];
  t.ok(size < 65_536);
  await ask(...filled);
});
