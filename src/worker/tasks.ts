// The worker's tasks (files in tasks/) and their crontab.
import type { TaskList } from 'graphile-worker';
import acceptUploads from '../../tasks/accept_uploads.ts';
import advanceTestClock from '../../tasks/advance_test_clock.ts';
import checkGuard from '../../tasks/check_guard.ts';
import closeSurveys from '../../tasks/close_surveys.ts';
import confirmInvitations from '../../tasks/confirm_invitations.ts';
import deleteSurvey from '../../tasks/delete_survey.ts';
import earnCaps from '../../tasks/earn_caps.ts';
import eraseExpired from '../../tasks/erase_expired.ts';
import eraseOldCopy from '../../tasks/erase_old_copy.ts';
import foldResultCounts from '../../tasks/fold_result_counts.ts';
import healInvitations from '../../tasks/heal_invitations.ts';
import indexRecipients from '../../tasks/index_recipients.ts';
import matchRelayEvents from '../../tasks/match_relay_events.ts';
import pruneExpired from '../../tasks/prune_expired.ts';
import publishEvents from '../../tasks/publish_events.ts';
import replayWebhooks from '../../tasks/replay_webhooks.ts';
import requeueWaiting from '../../tasks/requeue_waiting.ts';
import requeueWorkspace from '../../tasks/requeue_workspace.ts';
import sendGuardNotice from '../../tasks/send_guard_notice.ts';
import sendInvitations from '../../tasks/send_invitations.ts';
import sendMemberInvitation from '../../tasks/send_member_invitation.ts';
import sendNotifications from '../../tasks/send_notifications.ts';
import sendSignInLink from '../../tasks/send_sign_in_link.ts';
import sendTestInvitation from '../../tasks/send_test_invitation.ts';
import sendWebhookWarning from '../../tasks/send_webhook_warning.ts';
import sendWebhooks from '../../tasks/send_webhooks.ts';
import sweepInvitations from '../../tasks/sweep_invitations.ts';
import type { Store } from '../database/store.ts';
import type { Publisher } from '../events/publisher.ts';
import type { Webhooks } from '../events/webhooks.ts';
import type { Log } from '../log.ts';
import type { Recorder } from '../metrics.ts';
import type { Delivery } from './delivery.ts';
import type { MemberEmail } from './member-email.ts';
import type { Notifier } from './notifier.ts';
import type { TestClocks } from './test-clock.ts';

export interface TaskContext {
  readonly store: Store;
  readonly delivery: Delivery;
  readonly memberEmail: MemberEmail;
  readonly notifier: Pick<Notifier, 'wake'>;
  readonly testClocks: Pick<TestClocks, 'advance'>;
  readonly publisher: Pick<Publisher, 'wake'>;
  readonly webhooks?: Pick<Webhooks, 'wake'> | undefined;
  /** Undefined: nothing is erased. */
  readonly retentionDays?: number | undefined;
  readonly log: Log;
  readonly recorder?: Recorder | undefined;
}

const CRONTAB = [
  '* * * * * sweep_invitations ?jobKey=sweep_invitations&priority=-1',
  '* * * * * heal_invitations ?priority=-1',
  '* * * * * match_relay_events',
  '* * * * * confirm_invitations',
  '* * * * * index_recipients ?jobKey=index_recipients',
  '* * * * * accept_uploads ?jobKey=accept_uploads',
  '* * * * * fold_result_counts ?jobKey=fold_result_counts',
  '* * * * * send_notifications',
  '*/10 * * * * prune_expired',
  '1 * * * * earn_caps',
];
const ERASE_EXPIRED = '17 * * * * erase_expired';

export const crontabOf = (retentionDays: number | undefined): string =>
  (retentionDays === undefined ? CRONTAB : [...CRONTAB, ERASE_EXPIRED]).join('\n');

/** By file name, as in the jobs that SQL queues. */
export const createTasks = (context: TaskContext): TaskList => ({
  send_invitations: sendInvitations(context),
  requeue_waiting: requeueWaiting(context),
  requeue_workspace: requeueWorkspace(context),
  check_guard: checkGuard(context),
  close_surveys: closeSurveys(context),
  earn_caps: earnCaps(context),
  sweep_invitations: sweepInvitations(context),
  heal_invitations: healInvitations(context),
  match_relay_events: matchRelayEvents(context),
  confirm_invitations: confirmInvitations(context),
  index_recipients: indexRecipients(context),
  fold_result_counts: foldResultCounts(context),
  prune_expired: pruneExpired(context),
  send_sign_in_link: sendSignInLink(context),
  send_member_invitation: sendMemberInvitation(context),
  send_test_invitation: sendTestInvitation(context),
  send_webhook_warning: sendWebhookWarning(context),
  send_notifications: sendNotifications(context),
  send_guard_notice: sendGuardNotice(context),
  publish_events: publishEvents(context),
  replay_webhooks: replayWebhooks(context),
  send_webhooks: sendWebhooks(context),
  erase_expired: eraseExpired(context),
  erase_old_copy: eraseOldCopy(context),
  delete_survey: deleteSurvey(context),
  accept_uploads: acceptUploads(context),
  advance_test_clock: advanceTestClock(context),
});
