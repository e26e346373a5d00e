// Test emails.
import type { Queries } from './mapping.ts';
import type { EmailQuestion } from './questions.ts';
import type { InLanguage, PageTranslation, Sender, TokenTranslation } from './senders.ts';

/** A trigger token whose texts can be tested. */
export interface TestTemplate {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly subject: string;
  readonly hasReminder: boolean;
  /** The survey's language. */
  readonly language: string;
  /** The languages of the token's and the survey's translations. */
  readonly translated: readonly string[];
}

/** The result of one delivery attempt. */
export type DeliveryOutcome =
  | 'accepted'
  | 'retry'
  | 'unknown'
  | 'unconfirmed'
  | 'config'
  | 'released'
  | 'suppressed'
  | 'rejected';

export interface TestLine {
  readonly id: string;
  readonly tokenName: string;
  readonly messageKind: 'invitation' | 'reminder';
  /** Null: the survey's language. */
  readonly language: string | null;
  readonly requestedAt: Date;
  readonly state: 'queued' | 'retrying' | 'sent' | 'rejected' | 'given_up';
  /** The result of the last attempt. Null: there was no attempt. */
  readonly outcome: DeliveryOutcome | null;
  /** Why the attempt failed: the relay's code or the service's own code. */
  readonly code: string | null;
  readonly attempts: number;
  readonly triedAt: Date | null;
  readonly recipient: string;
  /** Null: the test is of a recipient without a name. */
  readonly name: string | null;
}

export interface TestRequest {
  /** Undefined: the email of lists. */
  readonly tokenId: string | undefined;
  readonly kind: TestMessage['messageKind'];
  /** Undefined: the survey's language. */
  readonly language?: string | undefined;
  /** The address of a member of the workspace. Undefined: who asks. */
  readonly recipient?: string | undefined;
  /** Undefined: a recipient without a name. */
  readonly name?: string | undefined;
}

export interface TestMessage {
  readonly id: string;
  readonly messageKind: 'invitation' | 'reminder';
  readonly email: string;
  readonly subject: string;
  readonly message: string;
  readonly surveyId: string;
  readonly surveyTitle: string;
  readonly pageTranslation: PageTranslation | null;
  readonly workspaceName: string;
  readonly reminderSubject: string | null;
  readonly reminderMessage: string | null;
  readonly sender: Sender | null;
  readonly surveyLanguage: string;
  /** Null: the survey's language. */
  readonly language: string | null;
  readonly translation: InLanguage<TokenTranslation> | null;
  readonly name: string | null;
  readonly question: EmailQuestion | null;
  /** As of a claimed invitation. */
  readonly wording: string | null;
}

export function testInvitationsCalls({ sql, record }: Queries) {
  return {
    /** Null: send nothing. */
    async issueTestInvitation(testId: string): Promise<TestMessage | null> {
      const [row] = await sql`select * from invite.issue_test_invitation(${testId})`;
      return row?.id ? record<TestMessage>(row) : null;
    },

    /** @param code The relay's code or the service's own code. Null: the email was accepted. */
    recordTestOutcome: (testId: string, outcome: string, code: string | null) =>
      sql`select invite.record_test_outcome(${testId}, ${outcome}::invite.delivery_outcome, ${code})`,
  };
}

export function consoleTestInvitationsCalls({ sql, records }: Queries) {
  return {
    listTestTemplates: (session: Buffer, surveyId: string) =>
      records<TestTemplate>(sql`select * from console.test_templates(${session}, ${surveyId})`),

    requestTestInvitation: (session: Buffer, surveyId: string, { tokenId, kind, language, recipient, name }: TestRequest) =>
      sql`
        select console.request_test_invitation(
          ${session}, ${surveyId}, ${tokenId ?? null}, ${kind}::invite.message_kind, ${language ?? null},
          recipient => ${recipient ?? null}, name => ${name ?? null})`,

    listTestInvitations: (session: Buffer, surveyId: string) =>
      records<TestLine>(sql`select * from console.test_invitations(${session}, ${surveyId})`),
  };
}
