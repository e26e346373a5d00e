// What the service itself says to recipients: German, formal.
import type { Strings } from './en.ts';

export const de: Strings = {
  reminderSubject: 'Erinnerung: {subject}',
  greeting: 'Guten Tag,',
  takeSurvey: 'Zur Umfrage',
  emailReason: 'Sie erhalten diese E‑Mail, weil {workspace} Sie zu einer Umfrage eingeladen hat.',
  unsubscribe: 'E‑Mails abbestellen',
  unsubscribeLine: 'E‑Mails abbestellen: {link}',

  errorTitle: 'Fehler: {title}',
  notSubmitted: 'Ihre Antworten wurden noch nicht abgesendet',
  questionsChanged: 'Die Fragen haben sich geändert, seit Sie diese Seite geöffnet haben. Bitte prüfen Sie Ihre Antworten.',
  optional: '(optional)',
  noAnswer: 'Keine Angabe',
  submit: 'Absenden',
  answersGoTo: 'Ihre Antworten gehen an {workspace}.',
  chooseNumber: 'Bitte wählen Sie eine Zahl aus.',
  chooseAnswer: 'Bitte wählen Sie eine Antwort aus.',
  enterAnswer: 'Bitte geben Sie eine Antwort ein.',
  tooLong: 'Bitte verwenden Sie höchstens {max} Zeichen.',

  thanksTitle: 'Vielen Dank!',
  thanks: 'Ihre Antworten wurden gespeichert. Sie können diese Seite jetzt schließen.',
  respondedTitle: 'Sie haben bereits teilgenommen',
  responded: 'Ihre Antworten zur Umfrage „{title}“ wurden gespeichert. Vielen Dank!',
  invalidLinkTitle: 'Dieser Link ist ungültig',
  invalidLink: 'Möglicherweise ist er unvollständig. Bitte öffnen Sie ihn noch einmal direkt aus Ihrer E‑Mail.',
  notOpenTitle: 'Umfrage noch nicht geöffnet',
  notOpen: 'Diese Umfrage ist noch nicht geöffnet. Bitte versuchen Sie es später noch einmal. Ihr Link bleibt gültig.',
  closedTitle: 'Umfrage beendet',
  closed: 'Die Umfrage „{title}“ ist beendet. Vielen Dank für Ihr Interesse.',
  byInvitationTitle: 'Teilnahme nur mit Einladung',
  byInvitation: 'Um teilzunehmen, öffnen Sie bitte den Link in der E‑Mail von {workspace}.',

  unsubscribeTitle: 'E‑Mails abbestellen',
  unsubscribeQuestion: 'Umfrage‑E‑Mails von {workspace} an {email} abbestellen?',
  unsubscribeScope: 'Gilt für alle E‑Mails zu Umfragen von {workspace}, auch für Erinnerungen.',
  unsubscribedTitle: 'E‑Mails abbestellt',
  unsubscribed: '{workspace} sendet keine E‑Mails zu Umfragen mehr an {email}.',
  mistake: 'War das ein Versehen?',
  resubscribe: 'Doch weiter erhalten',
  askWorkspace: 'Wenn Sie wieder E‑Mails zu Umfragen erhalten möchten, wenden Sie sich bitte an {workspace}.',
  resubscribedTitle: 'Sie erhalten wieder E‑Mails',
  resubscribed:
    '{workspace} kann wieder E‑Mails zu Umfragen an {email} senden. In der Zwischenzeit zurückgehaltene E‑Mails werden nicht nachträglich gesendet.',
  erasedTitle: 'Keine Abbestellung nötig',
  erased:
    'Die Adresse, an die diese Einladung ging, wurde gelöscht. Falls Sie noch einmal eine E‑Mail von {workspace} erhalten, verwenden Sie bitte den Link darin.',

  notFoundTitle: 'Seite nicht gefunden',
  notFound:
    'Bitte prüfen Sie die Adresse. Wenn Sie einen Link aus einer E‑Mail geöffnet haben, ist er möglicherweise unvollständig.',
  tooManyTitle: 'Zu viele Versuche',
  tooMany: 'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  unavailableTitle: 'Vorübergehend nicht verfügbar',
  unavailable: 'Bitte versuchen Sie es in einigen Minuten noch einmal.',
  failedTitle: 'Es ist ein Fehler aufgetreten',
  failed: 'Der Fehler liegt bei uns. Bitte versuchen Sie es später noch einmal.',
  badRequestTitle: 'Das hat leider nicht funktioniert',
  badRequest: 'Ihre Anfrage konnte nicht verarbeitet werden. Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
  requestId: 'Anfrage {id}',

  defaultSubject: '{{workspace_name}}: {{survey_title}}',
  defaultMessage:
    'Guten Tag {{recipient_name}},\n\n{{workspace_name}} freut sich über Ihre Meinung: {{survey_title}}\n\n{{survey_link}}\n\nVielen Dank!',
  recommend: 'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
  leastLikely: 'Überhaupt nicht wahrscheinlich',
  mostLikely: 'Äußerst wahrscheinlich',
  mainReason: 'Was ist der Hauptgrund für Ihre Bewertung?',
};
