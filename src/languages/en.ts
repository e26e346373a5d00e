// What the service itself says to recipients, in English. The other languages have the same names and placeholders
// (test/languages/languages.test.ts). CONTRIBUTING.md says how to add a language.

export const en = {
  // Emails
  reminderSubject: 'Reminder: {subject}',
  greeting: 'Hello,',
  takeSurvey: 'Take the survey',
  buttonHelp: 'Button doesn’t work? {link}',
  emailReason: 'You’re receiving this email because {workspace} invited you to a survey.',
  unsubscribe: 'Unsubscribe',
  unsubscribeLine: 'Unsubscribe: {link}',

  // The survey page
  language: 'Language',
  errorTitle: 'Error: {title}',
  notSubmitted: 'Your answers haven’t been submitted yet',
  questionsChanged: 'The questions have changed since you opened this page. Please check your answers.',
  optional: '(optional)',
  noAnswer: 'No answer',
  submit: 'Submit',
  answersGoTo: 'Your answers go to {workspace}.',
  chooseNumber: 'Please choose a number.',
  chooseAnswer: 'Please choose an answer.',
  enterAnswer: 'Please enter an answer.',
  tooLong: 'Please use at most {max} characters.',

  // Shown instead of the survey
  thanksTitle: 'Thank you!',
  thanks: 'Your response has been recorded. You can close this page.',
  respondedTitle: 'You’ve already responded',
  responded: 'Your response to “{title}” has been recorded. Thank you!',
  invalidLinkTitle: 'This link isn’t valid',
  invalidLink: 'It may have been cut off. Please open it again from your email.',
  linkExpiredTitle: 'This link has expired',
  linkExpired: 'It can no longer be used to respond to “{title}”. Thank you for your interest.',
  notOpenTitle: 'Not open yet',
  notOpen: 'This survey isn’t open yet. Please try again later: your link will keep working.',
  closedTitle: 'Closed',
  closed: '“{title}” is closed. Thank you for your interest.',
  full: '“{title}” has received enough responses and is closed. Thank you for your interest.',
  byInvitationTitle: 'By invitation only',
  byInvitation: 'To respond, please open the link in your email from {workspace}.',

  // Unsubscribing
  unsubscribeTitle: 'Unsubscribe',
  unsubscribeQuestion: 'Stop survey emails from {workspace} to {email}?',
  unsubscribeScope: 'Applies to all survey emails from {workspace}, including reminders.',
  unsubscribedTitle: 'Unsubscribed',
  unsubscribed: '{workspace} won’t send any more survey emails to {email}.',
  mistake: 'Was this a mistake?',
  resubscribe: 'Resubscribe',
  askWorkspace: 'To receive them again, please ask {workspace}.',
  resubscribedTitle: 'You’re subscribed again',
  resubscribed: '{workspace} can send survey emails to {email} again. Emails held back in the meantime won’t be sent.',
  fewer: 'Would you prefer fewer emails?',
  onceAMonth: 'At most once a month',
  notThisSurvey: 'Not about this survey',
  thisSurvey: 'This survey: “{title}”',
  savedTitle: 'Your choice has been saved',
  onceAMonthChosen: '{workspace} will invite {email} to a survey at most once a month. A reminder may follow.',
  noLimit: 'Remove this limit',
  notThisSurveyChosen: '{workspace} won’t send {email} any more emails about “{title}”.',
  thisSurveyAgain: 'Receive emails about this survey again',
  erasedTitle: 'Nothing to unsubscribe',
  erased: 'The address this invitation was sent to has been erased. If {workspace} emails you again, use the link in that email.',

  // Errors
  notFoundTitle: 'Page not found',
  notFound: 'Check the address. If you followed a link in an email, part of it may be missing.',
  tooManyTitle: 'Too many attempts',
  tooMany: 'Wait a minute and try again.',
  unavailableTitle: 'Temporarily unavailable',
  unavailable: 'Please try again in a few minutes.',
  failedTitle: 'Something went wrong',
  failed: 'This is a problem on our side. Please try again later.',
  badRequestTitle: 'That didn’t work',
  badRequest: 'We couldn’t read the request. Please go back and try again.',
  requestId: 'Request {id}',

  // The texts of a new trigger token and a new survey: the defaults of their tables
  defaultSubject: '{{workspace_name}}: {{survey_title}}',
  defaultMessage:
    'Hello {{recipient_name}},\n\n{{workspace_name}} would like your opinion: {{survey_title}}\n\n{{survey_link}}\n\nThank you!',
  recommend: 'How likely are you to recommend us?',
  leastLikely: 'Not at all likely',
  mostLikely: 'Extremely likely',
  mainReason: 'What is the main reason for your score?',
} as const;

export type Strings = { readonly [Name in keyof typeof en]: string };
