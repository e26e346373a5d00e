// The pages that the pieces stand on, in the console's frame: of a survey, of a workspace, of a test workspace, with sending paused.
import { type FrameParts, framePage, type PageContext } from '../../src/console/frame.ts';
import type { OwnWorkspace, SurveyFrame } from '../../src/database/store.ts';
import type { Html } from '../../src/html/html.ts';
import { ARABIC, TITLE, UNBROKEN } from './texts.ts';

export const NOW = new Date('2026-11-25T12:00:00Z');

export const WORKSPACE: OwnWorkspace = {
  id: '01a1fbc3-862a-709e-ae6a-c599065a22dc',
  name: 'Fjord Outdoor',
  role: 'owner',
  home: 'eu',
  test: null,
  pause: null,
};
const TEST: OwnWorkspace = {
  ...WORKSPACE,
  id: '01a1fbc3-862a-709e-ae6a-c599065a22dd',
  name: TITLE,
  test: { of: WORKSPACE.id, name: TITLE, now: '2027-01-04T10:00:00Z' },
};
const PAUSED: OwnWorkspace = {
  ...WORKSPACE,
  id: '01a1fbc3-862a-709e-ae6a-c599065a22de',
  name: ARABIC,
  pause: { scope: 'workspace', at: NOW.toISOString(), by: 'olav@fjord-outdoor.example' },
};

export const SURVEY: SurveyFrame = {
  surveyId: '01a1fbc3-862a-709e-ae6a-c599065a22df',
  title: TITLE,
  state: 'active',
  workspaceId: WORKSPACE.id,
  workspaceName: WORKSPACE.name,
  role: 'owner',
  holdReason: null,
  pausedAt: null,
  pausedBy: null,
  missingSteps: [],
  isBeingDeleted: false,
  hasDraft: true,
};

const contextOf = (workspaces: readonly OwnWorkspace[], flash?: PageContext['flash']): PageContext => ({
  me: { email: `${UNBROKEN.slice(0, 60)}@fjord-outdoor.example`, workspaces, workspaceId: null, sessionId: 'components' },
  csrf: 'csrf',
  now: NOW,
  realNow: NOW,
  isTest: false,
  flash,
});

/** For pieces that need one. */
export const page: PageContext = contextOf([WORKSPACE]);

/** The address of an uploaded one. */
export const LOGO = `/logo/abcdefgh${'0'.repeat(32)}-400x80.png`;

const title = 'Components';

/** By the page's address. Each puts the pieces into a frame in another state. */
export const FRAMES: Readonly<Record<string, (main: Html) => string>> = {
  '/': (main) => framePage(page, { title, workspace: WORKSPACE }, main),
  '/several-workspaces': (main) =>
    framePage(contextOf([WORKSPACE, TEST, PAUSED], 'settings_saved'), { title, workspace: WORKSPACE, tab: 'sender' }, main),
  '/test-workspace': (main) => framePage(contextOf([TEST]), { title, workspace: TEST, tab: 'clock' }, main),
  '/paused': (main) => framePage(contextOf([PAUSED]), { title, workspace: PAUSED, tab: 'surveys' }, main),
  '/survey': (main) => framePage(page, surveyParts({ missingSteps: ['test', 'activate', 'invite'], state: 'draft' }), main),
  '/survey-paused': (main) => framePage(page, surveyParts({ pausedAt: NOW, pausedBy: null }), main),
  '/survey-being-deleted': (main) => framePage(page, surveyParts({ isBeingDeleted: true }), main),
};

const surveyParts = (survey: Partial<SurveyFrame>): FrameParts => ({
  title: 'Results',
  survey: { ...SURVEY, ...survey },
  tab: 'results',
});
