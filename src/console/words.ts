// What the codes of the database are in words, for members: one entry for each code. Pure.
import type { HoldReason } from '../database/store.ts';

/** Why the email of a survey is held. */
export const HOLD_REASONS: Readonly<Record<HoldReason, string>> = {
  workspace_suspended: 'the workspace is suspended',
  plan_required: "the workspace's plan doesn't include the API trigger",
  survey_disabled: 'the survey is disabled',
  survey_draft: 'the survey is a draft',
  survey_closed: 'the survey is closed',
};
