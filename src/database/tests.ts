// Test workspaces: their clock, and their outbox.

import type { ClaimedInvitation, Settled, Settlement } from './deliveries.ts';
import type { Queries } from './mapping.ts';

/** What time it is in a test workspace. */
export interface TestClock {
  readonly now: string;
  /** When something next happens by itself. Null: never. */
  readonly next: string | null;
  /** The test workspace. */
  readonly workspace_id: string;
}

/** What an advance has done. Times are ISO 8601. */
export interface TestAdvance {
  readonly now: string;
  readonly since: string;
  /** How often each type of event happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first 1,000 events, in order. */
  readonly happened: readonly Readonly<Record<string, unknown>>[];
}

/** A step of an advance: what is due at a time. */
export interface TestStep {
  readonly at: Date;
  readonly due: readonly string[];
  readonly more: boolean;
  readonly eventsFrom: string;
}

/** A message that would have left, as a relay would have got it. */
export interface TestEmail {
  readonly id: string;
  readonly number: number;
  readonly email: Readonly<Record<string, unknown>>;
}

/** An email in the outbox. In a list it has no text, HTML and headers. */
export type SentTestEmail = Readonly<Record<string, unknown>>;

export interface TestEmailFilter {
  readonly id?: string | undefined;
  readonly recipient?: string | undefined;
  readonly batch?: string | undefined;
  readonly before?: string | undefined;
}

/** To what time, by how much, or, with neither, to the next time at which something happens. */
export interface AdvanceBy {
  readonly until?: Date | undefined;
  readonly seconds?: number | undefined;
}

export function testsCalls({ sql, value, one, records, json }: Queries) {
  return {
    /** Copies settings, members and surveys. Returns the id of the new test workspace. */
    createTestWorkspace: (workspaceId: string, id: string | undefined) =>
      value<string>(sql`select invite.create_test_workspace(${workspaceId}, ${id ?? null})`),

    requestTestAdvance: (workspaceId: string, { until, seconds }: AdvanceBy) =>
      value<string>(
        sql`select invite.request_test_advance(${workspaceId}, ${until ?? null}, make_interval(secs => ${seconds ?? null}))`,
      ),

    /** Null: the advance hasn't ended. */
    testResult: (workspaceId: string, advanceId: string) =>
      value<TestAdvance | null>(sql`select invite.test_result(${workspaceId}, ${advanceId})`),

    /** Null: there is no such test token. */
    tokenTestClock: (secretHash: Buffer) => value<TestClock | null>(sql`select invite.token_test_clock(${secretHash})`),

    tokenTestEmails: async (secretHash: Buffer, { id, recipient, batch, before }: TestEmailFilter, maxRows: number) =>
      (
        await sql<{ email: SentTestEmail }[]>`
          select e as email
          from invite.token_test_emails(
            ${secretHash}, ${id ?? null}, ${recipient ?? null}, ${batch ?? null}, ${before ?? null}, ${maxRows}) as e`
      ).map(({ email }) => email),

    tokenTestAdvance: (secretHash: Buffer, { until, seconds }: AdvanceBy) =>
      value<string>(
        sql`select invite.token_test_advance(${secretHash}, ${until ?? null}, make_interval(secs => ${seconds ?? null}))`,
      ),

    /** Null: the advance hasn't ended. */
    tokenTestResult: (secretHash: Buffer, advanceId: string) =>
      value<TestAdvance | null>(sql`select invite.token_test_result(${secretHash}, ${advanceId})`),

    /** The oldest advance that hasn't ended. */
    nextTestAdvance: (workspaceId: string) => value<string | null>(sql`select invite.next_test_advance(${workspaceId})`),

    /** Queues another turn. */
    queueTestAdvance: async (workspaceId: string, afterSeconds: number): Promise<void> => {
      await sql`select invite.queue_test_advance(${workspaceId}, ${afterSeconds})`;
    },

    // The calls of a step. They share a transaction.
    beginTestStep: (advanceId: string) => one<TestStep>(sql`select * from invite.begin_test_step(${advanceId})`),

    claimInTest: (invitationIds: readonly string[], workerId: string, at: Date) =>
      records<ClaimedInvitation>(sql`
        select * from invite.claim_invitations(${invitationIds as string[]}::bigint[], ${workerId}, ${at}, test => true)`),

    settleInTest: (results: readonly Settlement[], at: Date) =>
      one<Settled>(sql`select * from invite.settle_invitations(${json(results)}, at => ${at})`),

    recordTestEmails: async (advanceId: string, emails: readonly TestEmail[], at: Date): Promise<void> => {
      await sql`select invite.record_test_emails(${advanceId}, ${json(emails)}, ${at})`;
    },

    endTestStep: async (advanceId: string, eventsFrom: string): Promise<void> => {
      await sql`select invite.end_test_step(${advanceId}, ${eventsFrom})`;
    },
  };
}

/** A test workspace in the list of its real one. */
export interface TestWorkspace {
  readonly id: string;
  readonly name: string;
  /** What its clock says. */
  readonly now: Date;
  readonly createdAt: Date;
}

/** The clock of a test workspace, and what happened when it last moved. */
export interface TestClockCard {
  readonly now: Date;
  /** When something next happens by itself. Null: never. */
  readonly nextAt: Date | null;
  /** Whether a worker moves it, or is asked to. */
  readonly isMoving: boolean;
  /** Null: it hasn't moved recently. */
  readonly since: Date | null;
  /** Null: it hasn't moved recently or, while it moves, to the next time at which something happens. */
  readonly until: Date | null;
  readonly counts: Readonly<Record<string, number>> | null;
  /** The first 1,000 events, in order. */
  readonly happened: readonly TestEvent[] | null;
}

export interface TestEvent {
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
  readonly survey_id: string;
  readonly invitation_id?: string | number;
  readonly email?: string;
  readonly code?: string;
}

interface Person {
  readonly name: string;
  readonly email: string;
}

/** An email in the outbox, as a relay would have got it. */
export interface TestEmailLine {
  readonly id: string;
  readonly sentAt: Date;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly invitationId: string;
  /** 0: the invitation. From 1: its reminders. */
  readonly messageNumber: number;
  readonly email: { readonly to: Person; readonly subject: string };
}

/** An email as it would have left. */
export interface TestEmailPage extends Omit<TestEmailLine, 'email'> {
  readonly email: TestEmailLine['email'] & {
    readonly from: Person;
    readonly reply_to?: string;
    readonly text: string;
    readonly html: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly links: { readonly survey: string; readonly unsubscribe: string };
  };
}

export function consoleTestsCalls({ sql, value, one, records }: Queries) {
  return {
    listTestWorkspaces: (session: Buffer, workspaceId: string) =>
      records<TestWorkspace>(sql`select * from console.test_workspaces(${session}, ${workspaceId})`),

    /** Copies settings, members and surveys. Returns the id of the new test workspace. */
    createTestWorkspace: (session: Buffer, workspaceId: string) =>
      value<string>(sql`select console.create_test_workspace(${session}, ${workspaceId})`),

    testClock: (session: Buffer, workspaceId: string) =>
      one<TestClockCard>(sql`select * from console.test_clock(${session}, ${workspaceId})`),

    /**
     * Returns whether the clock will be moved: not if it says something else than now, or moves already.
     * @param now What the clock said when the person decided.
     */
    advanceTestClock: (session: Buffer, workspaceId: string, now: Date, { until, seconds }: AdvanceBy) =>
      value<boolean>(sql`
        select console.advance_test_clock(
          ${session}, ${workspaceId}, ${now}, ${until ?? null}, make_interval(secs => ${seconds ?? null}))`),

    /** @param recipient A whole address. Undefined: of all. */
    listTestEmails: (
      session: Buffer,
      workspaceId: string,
      recipient: string | undefined,
      beforeId: string | undefined,
      maxRows: number,
    ) =>
      records<TestEmailLine>(sql`
        select * from console.test_emails(
          ${session}, ${workspaceId}, recipient => ${recipient ?? null}, before_id => ${beforeId ?? null}, max_rows => ${maxRows})`),

    findTestEmail: async (session: Buffer, workspaceId: string, id: string): Promise<TestEmailPage | undefined> =>
      (await records<TestEmailPage>(sql`select * from console.test_emails(${session}, ${workspaceId}, ${id})`))[0],
  };
}
