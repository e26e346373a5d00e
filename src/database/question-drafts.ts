// The unpublished changes of a survey's questions.
import type { Queries } from './mapping.ts';
import type { Question } from './questions.ts';
import type { SurveyPage } from './surveys.ts';

/** Questions that aren't published. */
export interface QuestionDraft {
  readonly revision: string;
  /** As they were typed: they may be invalid. */
  readonly questions: readonly unknown[];
  /** The version of the published questions when the draft was begun. */
  readonly questionsVersion: number;
  /** The address of the member who edited it last. */
  readonly editedBy: string;
  readonly editedAt: Date;
  /** When another editor put other questions in its place. Null: this is the survey's draft. */
  readonly replacedAt: Date | null;
}

/** What became of a draft that was to be saved, and the draft that is there now (null: none). */
export interface SavedDraft {
  /** False: somebody else has changed the questions meanwhile, and nothing was written. */
  readonly isSaved: boolean;
  readonly revision: string | null;
  readonly editedBy: string | null;
  readonly editedAt: Date | null;
}

export interface DraftToSave {
  /** Null: they are as published, so there is nothing to keep. */
  readonly questions: readonly unknown[] | null;
  /** The version of the published questions that the editor has seen. */
  readonly questionsVersion: number;
  /** The revision that was edited. Null: there was no draft. */
  readonly base: string | null;
  /** The revision that this one gets, chosen by the caller, who so recognizes it if the reply is lost. */
  readonly revision: string;
  /** Whether the draft in whose place this one is put is kept as a replaced one. */
  readonly keepsOther?: boolean;
}

export function consoleQuestionDraftsCalls({ sql, one, record, records, value, json }: Queries) {
  return {
    /** The survey's draft, if there is one, then those that it has replaced, the newest first. */
    questionDrafts: (session: Buffer, surveyId: string) =>
      records<QuestionDraft>(sql`select * from console.question_drafts(${session}, ${surveyId})`),

    saveQuestionDraft: (
      session: Buffer,
      surveyId: string,
      { questions, questionsVersion, base, revision, keepsOther = false }: DraftToSave,
    ) =>
      one<SavedDraft>(sql`
        select * from console.save_question_draft(
          ${session}, ${surveyId}, ${questions === null ? null : json(questions)}, ${questionsVersion}, ${base}::uuid, ${revision}::uuid,
          ${keepsOther})`),

    /** Rejects with surveys_changed_meanwhile if the published questions or the draft aren't those that the editor has seen. */
    publishQuestions: (
      session: Buffer,
      surveyId: string,
      {
        questions,
        questionsVersion,
        revision,
      }: { questions: readonly Question[]; questionsVersion: number; revision: string | null },
    ) =>
      sql`select console.publish_questions(${session}, ${surveyId}, ${json(questions)}, ${questionsVersion}, ${revision}::uuid)`,

    /** Deletes the draft, and what it had replaced. Rejects with surveys_changed_meanwhile if somebody has edited it since. */
    discardQuestionDraft: (session: Buffer, surveyId: string, revision: string) =>
      sql`select console.discard_question_draft(${session}, ${surveyId}, ${revision}::uuid)`,

    /** Says what is wrong with each question, in the form of the detail of the constraint surveys_questions_form. */
    checkQuestions: (session: Buffer, surveyId: string, questions: readonly unknown[]) =>
      value<readonly { readonly code: string; readonly question?: number }[]>(
        sql`select console.check_questions(${session}, ${surveyId}, ${json(questions)})`,
      ),

    /** The survey page as it would be if the draft were published. Its questions may be invalid. */
    surveyPreview: async (session: Buffer, surveyId: string, language: string | undefined) =>
      record<SurveyPage>((await sql`select * from console.survey_preview(${session}, ${surveyId}, ${language ?? null})`)[0]),
  };
}
