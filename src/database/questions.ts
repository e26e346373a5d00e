// Questions of surveys, as they are stored in JSON.

/** The answers to an earlier question after which a text is asked: from min to max of a score, or one of these choices. */
export interface AskIf {
  readonly question: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

export interface Question {
  readonly id: string;
  readonly type: 'score' | 'choice' | 'text';
  readonly label: string;
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly min_label?: string;
  readonly max_label?: string;
  /** For a score: what people read instead of the survey's thank-you text if they gave a score of this group (score-groups.ts). */
  readonly low_thanks?: string;
  readonly middle_thanks?: string;
  readonly high_thanks?: string;
  /** For a score from 0 to 10: whether the author wants it evaluated as an NPS, with promoters and detractors. */
  readonly nps?: boolean;
  /** For a score from 1 to 3 up to 10: whether it is shown as stars. */
  readonly stars?: boolean;
  readonly choices?: readonly string[];
  /** One for each choice, by which SQL knows a renamed one. The service makes them. */
  readonly choice_ids?: readonly string[];
  /** For choices: whether an answer is a list of one or more. */
  readonly several?: boolean;
  /** For a text: it is asked only after these answers. */
  readonly ask_if?: AskIf;
}

type ScoreTexts = 'min_label' | 'max_label' | 'low_thanks' | 'middle_thanks' | 'high_thanks';

export interface QuestionTranslation extends Partial<Pick<Question, 'label' | ScoreTexts>> {
  /** Translations by the original choice, which is what answers store. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Type of the SQL function email_question. translated: its texts in the language of PageTranslation. */
export type EmailQuestion = Question & { readonly translated?: QuestionTranslation };
