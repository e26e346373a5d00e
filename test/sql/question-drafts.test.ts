// Drafts of questions: each is saved on top of the one that was edited, or not at all.
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { DraftToSave } from '../../src/database/store.ts';
import { constraint } from '../fixtures/inspect.ts';
import { createMember } from '../fixtures/members.ts';
import { createSurvey, createTestDatabase } from '../fixtures/setup.ts';

const { sql, store, connect } = await createTestDatabase(t);
const { console: pages } = store;
const typed = (label: string) => [{ id: 'why', type: 'text', label }];

async function createEdited() {
  const { workspace, survey } = await createSurvey(store);
  const [ada, eve] = [
    await createMember(store, workspace, 'editor', `ada@${workspace}.example`),
    await createMember(store, workspace, 'admin', `eve@${workspace}.example`),
  ];
  const save = (who: typeof ada, label: string | null, base: string | null, more: Partial<DraftToSave> = {}) =>
    pages.saveQuestionDraft(who.session, survey, {
      questions: label === null ? null : typed(label),
      questionsVersion: 1,
      base,
      revision: randomUUID(),
      ...more,
    });
  const drafts = async () =>
    (await pages.questionDrafts(ada.session, survey)).map(({ questions, replacedAt }) => [
      (questions as ReturnType<typeof typed>)[0]?.label,
      replacedAt !== null,
    ]);
  const hasDraft = async () => (await pages.surveyFrame(ada.session, survey, 'editor')).hasDraft;
  return { survey, workspace, ada, eve, save, drafts, hasDraft };
}

t.test(
  'a draft is saved on top of the one that was edited; the second editor is told who was first, and nothing is written',
  async (t) => {
    const { survey, workspace, ada, eve, save, drafts, hasDraft } = await createEdited();
    t.notOk(await hasDraft());
    const first = await save(ada, 'Why', null);
    t.match(first, { isSaved: true, editedBy: `ada@${workspace}.example` });
    t.ok(await hasDraft());
    t.match(await store.findSurvey(survey), { draft_edited_at: first.editedAt });
    const second = await save(ada, 'Why?', first.revision);
    t.ok(second.isSaved);
    t.match(await save(eve, 'What', first.revision), { ...second, isSaved: false }, 'of a revision before');
    t.match(await save(eve, 'What', null), { isSaved: false }, 'of no draft');
    t.match(await save(eve, 'What', randomUUID()), { isSaved: false });
    t.match(await save(eve, 'What', second.revision, { questionsVersion: 2 }), { isSaved: false }, 'of another version');
    t.same(await drafts(), [['Why?', false]]);
  },
);

t.test('what is put in the place of a draft keeps it, up to ten; typing on does not', async (t) => {
  const { ada, eve, save, drafts } = await createEdited();
  let { revision } = await save(ada, 'of Ada', null);
  ({ revision } = await save(eve, 'of Eve', revision, { keepsOther: true }));
  ({ revision } = await save(eve, 'of Eve, later', revision));
  t.same(await drafts(), [
    ['of Eve, later', false],
    ['of Ada', true],
  ]);
  for (let count = 0; count < 11; count += 1) ({ revision } = await save(ada, `${count}`, revision, { keepsOther: true }));
  const labels = (await drafts()).map(([label]) => label);
  t.same(labels, ['10', '9', '8', '7', '6', '5', '4', '3', '2', '1', '0']);
  ({ revision } = await save(ada, null, revision));
  t.equal(revision, null, 'as published again');
  t.equal((await drafts()).filter(([, replaced]) => !replaced).length, 0);
});

t.test('two who save at the same moment: one is told', async (t) => {
  const { ada, eve, save, drafts } = await createEdited();
  for (const base of [null, 'stored'] as const) {
    const { revision } =
      base === null
        ? { revision: null }
        : ((await pages.questionDrafts(ada.session, (await survey()) ?? ''))[0] ?? { revision: null });
    const both = await Promise.all([save(ada, 'A', revision), save(eve, 'E', revision)]);
    t.same(both.map(({ isSaved }) => isSaved).sort(), [false, true]);
    t.equal((await drafts()).length, 1);
  }
  async function survey() {
    const [row] = await sql`select survey_id from invite.question_drafts where edited_by in (${ada.email}, ${eve.email})`;
    return row?.survey_id as string | undefined;
  }
});

t.test('publishing is one act: the questions that were seen, and no draft any more; a response keeps its version', async (t) => {
  const { survey, ada, eve, save, drafts, hasDraft } = await createEdited();
  await store.submitResponse(survey, { score: 9 }, undefined);
  const { revision } = await save(ada, 'Why?', null);
  const { revision: later } = await save(eve, 'Why not?', revision, { keepsOther: true });
  const publish = (seen: string | null, questionsVersion = 1) =>
    pages.publishQuestions(ada.session, survey, { questions: typed('Why not?') as never, questionsVersion, revision: seen });
  for (const wrong of [() => publish(revision), () => publish(null), () => publish(later, 2)])
    t.equal(await constraint(wrong()), 'surveys_changed_meanwhile');
  t.equal((await store.surveyPage(survey, undefined))?.questionsVersion, 1, 'people see the published ones');
  await publish(later);
  t.match(await store.surveyPage(survey, undefined), { questionsVersion: 2, questions: typed('Why not?') });
  t.same(await drafts(), []);
  t.notOk(await hasDraft());
  const [response] = await sql`select questions_version from invite.responses where survey_id = ${survey}`;
  t.equal(response?.questions_version, 1);
  t.match(await save(eve, 'Late', later), { isSaved: false, revision: null }, 'who typed on is told');
});

t.test('publishing waits for a draft that is being saved, and is then refused', async (t) => {
  const { survey, ada, save } = await createEdited();
  const { revision } = await save(ada, 'Why?', null);
  const other = connect();
  const saving = await other.reserve();
  await saving`begin`;
  await saving`
    select console.save_question_draft(${ada.session}, ${survey}, '[]', 1, ${revision}::uuid, gen_random_uuid())`;
  const published = constraint(
    pages.publishQuestions(ada.session, survey, { questions: [], questionsVersion: 1, revision: revision as string }),
  );
  await saving`commit`;
  saving.release();
  t.equal(await published, 'surveys_changed_meanwhile');
});

t.test('a draft is discarded by who has seen it, with what it had replaced', async (t) => {
  const { survey, ada, eve, save, drafts } = await createEdited();
  const { revision } = await save(ada, 'Why?', null);
  const { revision: later } = await save(eve, 'Why not?', revision, { keepsOther: true });
  t.equal(await constraint(pages.discardQuestionDraft(ada.session, survey, revision as string)), 'surveys_changed_meanwhile');
  await pages.discardQuestionDraft(ada.session, survey, later as string);
  t.same(await drafts(), []);
  await pages.discardQuestionDraft(ada.session, survey, later as string);
  t.equal(await constraint(save(ada, 'x'.repeat(300_000), null)), 'question_drafts_size');
});

t.test('a preview has the draft without what was removed, in a translation only if that has all its texts', async (t) => {
  const { survey, ada, save } = await createEdited();
  await store.setSurveyTranslation(survey, 'de', { title: 'Titel', questions: { why: { label: 'Warum?' } } });
  const shown = async (language?: string) => pages.surveyPreview(ada.session, survey, language);
  const published = await store.surveyPage(survey, undefined);
  t.match((await shown()).questions, published?.questions);
  const questions = [
    { id: 'why', type: 'text', label: 'Why?' },
    { id: 'gone', type: 'text', label: 'Gone?', removed: true },
    { id: 'odd', type: 'score', label: 'How?', min: 'a', max: null },
  ];
  await save(ada, '', null, { questions });
  t.same((await shown('de')).questions, [questions[0], questions[2]]);
  t.notOk((await shown('de')).translated, 'a text is missing');
  const [draft] = await pages.questionDrafts(ada.session, survey);
  await save(ada, 'Why?', draft?.revision ?? null);
  t.match(await shown('de'), { translated: true, language: 'de' });
});
