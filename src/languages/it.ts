// What the service itself says to recipients: Italian, formal.
import type { Strings } from './en.ts';

export const it: Strings = {
  reminderSubject: 'Promemoria: {subject}',
  emailReason: 'Riceve questa e‑mail perché {workspace} la invita a partecipare a un sondaggio.',
  unsubscribe: 'Annulla iscrizione',
  unsubscribeLine: 'Annulla iscrizione: {link}',

  errorTitle: 'Errore: {title}',
  notSubmitted: 'Le sue risposte non sono ancora state inviate',
  questionsChanged: 'Le domande sono cambiate da quando ha aperto questa pagina. Controlli le sue risposte.',
  optional: '(facoltativo)',
  noAnswer: 'Nessuna risposta',
  submit: 'Invia',
  answersGoTo: 'Le sue risposte saranno inviate a {workspace}.',
  chooseNumber: 'Scelga un numero.',
  chooseAnswer: 'Scelga una risposta.',
  enterAnswer: 'Inserisca una risposta.',
  tooLong: 'Usi al massimo {max} caratteri.',

  thanksTitle: 'Grazie!',
  thanks: 'La sua risposta è stata registrata. Può chiudere questa pagina.',
  respondedTitle: 'Ha già risposto',
  responded: 'La sua risposta al sondaggio {title} è stata registrata. Grazie!',
  invalidLinkTitle: 'Questo link non è valido',
  invalidLink: 'Potrebbe essere incompleto. Lo apra di nuovo dall’e‑mail che ha ricevuto.',
  notOpenTitle: 'Sondaggio non ancora aperto',
  notOpen: 'Questo sondaggio non è ancora aperto. Riprovi più tardi. Il suo link resterà valido.',
  closedTitle: 'Sondaggio chiuso',
  closed: 'Il sondaggio {title} è chiuso. Grazie per l’interesse.',
  byInvitationTitle: 'Sondaggio su invito',
  byInvitation: 'Per rispondere, apra il link contenuto nell’e‑mail di {workspace}.',

  unsubscribeTitle: 'Annulla iscrizione',
  unsubscribeQuestion: 'Desidera non ricevere più all’indirizzo {email} le e‑mail sui sondaggi di {workspace}?',
  unsubscribeScope: 'Vale per tutte le e‑mail sui sondaggi di {workspace}, promemoria compresi.',
  unsubscribedTitle: 'Iscrizione annullata',
  unsubscribed: '{workspace} non invierà più e‑mail sui sondaggi a {email}.',
  mistake: 'È stato un errore?',
  resubscribe: 'Ripristina iscrizione',
  askWorkspace: 'Per riceverle di nuovo, si rivolga a {workspace}.',
  resubscribedTitle: 'Iscrizione ripristinata',
  resubscribed:
    '{workspace} può di nuovo inviare e‑mail sui sondaggi a {email}. Le e‑mail trattenute nel frattempo non saranno inviate.',
  erasedTitle: 'Nessuna iscrizione da annullare',
  erased:
    'L’indirizzo a cui è stato inviato questo invito è stato cancellato. Se riceve un’altra e‑mail da {workspace}, usi il link che contiene.',

  notFoundTitle: 'Pagina non trovata',
  notFound: 'Controlli l’indirizzo. Se ha aperto un link ricevuto per e‑mail, potrebbe essere incompleto.',
  tooManyTitle: 'Troppi tentativi',
  tooMany: 'Attenda un minuto e riprovi.',
  unavailableTitle: 'Temporaneamente non disponibile',
  unavailable: 'Riprovi tra qualche minuto.',
  failedTitle: 'Si è verificato un errore',
  failed: 'Il problema dipende da noi. Riprovi più tardi.',
  badRequestTitle: 'Operazione non riuscita',
  badRequest: 'Non è stato possibile elaborare la richiesta. Torni indietro e riprovi.',
  requestId: 'Richiesta {id}',

  defaultMessage:
    'Gentile {{recipient_name}},\n\n{{workspace_name}} desidera conoscere la sua opinione: {{survey_title}}\n\n{{survey_link}}\n\nGrazie!',
  recommend: 'Con quale probabilità ci consiglierebbe ad altri?',
  leastLikely: 'Per niente probabile',
  mostLikely: 'Estremamente probabile',
  mainReason: 'Qual è il motivo principale della sua valutazione?',
};
