// Test invitations that members send to themselves.
import type { Queries } from './mapping.ts';

/** A trigger token whose default texts can be sent as a test. */
export interface TestTemplate {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly subject: string;
  /** Whether it has its own texts for reminders. */
  readonly hasReminder: boolean;
}

/** A member's test email, and what became of it. */
export interface TestLine {
  readonly id: string;
  readonly tokenName: string;
  readonly messageKind: 'invitation' | 'reminder';
  readonly requestedAt: Date;
  readonly state: 'queued' | 'retrying' | 'sent' | 'rejected' | 'given_up';
  /** Why the last attempt did not succeed: the relay's code or ours. */
  readonly code: string | null;
  readonly attempts: number;
  readonly triedAt: Date | null;
}

/** What a worker needs to render a test email. */
export interface TestMessage {
  readonly id: string;
  readonly messageKind: 'invitation' | 'reminder';
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly workspaceName: string;
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
}

export function testInvitationsCalls({ sql, record }: Queries) {
  return {
    /** The content of a test email; null: send nothing. */
    async issueTestInvitation(testId: string): Promise<TestMessage | null> {
      const [row] = await sql`select * from invite.issue_test_invitation(${testId})`;
      return row?.id ? record<TestMessage>(row) : null;
    },

    /** Records what became of an attempt. @param code The relay's or ours; null: it was accepted. */
    recordTestOutcome: (testId: string, outcome: string, code: string | null) =>
      sql`select invite.record_test_outcome(${testId}, ${outcome}::invite.delivery_outcome, ${code})`,
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleTestInvitationsCalls({ sql, records }: Queries) {
  return {
    listTestTemplates: (session: Buffer, surveyId: string) =>
      records<TestTemplate>(sql`select * from console.test_templates(${session}, ${surveyId})`),

    /** Queues a test email to the member's own address. */
    requestTestInvitation: (session: Buffer, surveyId: string, tokenId: string, kind: TestMessage['messageKind']) =>
      sql`select console.request_test_invitation(${session}, ${surveyId}, ${tokenId}, ${kind}::invite.message_kind)`,

    /** The member's last test emails of the survey, newest first. */
    listTestInvitations: (session: Buffer, surveyId: string) =>
      records<TestLine>(sql`select * from console.test_invitations(${session}, ${surveyId})`),
  };
}
