// What the SQL functions of the Results give back, typed. Column names are in camel case, except inside JSON.

/** Which responses: those with a metadata key, and with a value if there is one. */
export interface ResultFilter {
  readonly key: string;
  readonly value: string | undefined;
}

/** One response; see the type result in sql/migrations/0019_results.sql. */
export interface Result {
  readonly id: string;
  readonly submittedAt: Date;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly attribution: 'invitation' | 'direct';
  readonly invitationId: string | null;
  readonly batchId: string | null;
  /** Of the recipient; null for viewers, and once they are erased. */
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** The columns that some responses need. */
export interface ResultKeys {
  readonly answerKeys: readonly string[];
  readonly metadataKeys: readonly string[];
  readonly looked: number;
  /** The last response that was looked at; null: there was none. */
  readonly lastId: string | null;
}

/** Responses that the numbers and charts are of, at the most: the newest. */
export const SUMMARY_RESPONSES = 20_000;

/** The Results in numbers; see the type result_summary in sql/migrations/0019_results.sql. Days are `YYYY-MM-DD`, UTC. */
export interface ResultSummary {
  /** All of the survey's; null under a filter. */
  readonly responses: string | null;
  /** The newest, of which days and answers are. */
  readonly looked: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly days: readonly { readonly day: string; readonly invitation: number; readonly direct: number }[];
  /** value null: any other answer. */
  readonly answers: readonly { readonly question: string; readonly value: string | null; readonly number: number }[];
  /** The newest invitations that were sent, and those of them that were answered; null under a filter. */
  readonly invited: number | null;
  readonly responded: number | null;
  readonly sentDays: readonly { readonly day: string; readonly invited: number; readonly responded: number }[] | null;
  readonly sentCapped: boolean | null;
}
