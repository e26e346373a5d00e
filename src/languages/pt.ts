// What the service itself says to recipients: Portuguese, as in Brazil.
import type { Strings } from './en.ts';

export const pt: Strings = {
  reminderSubject: 'Lembrete: {subject}',
  emailReason: 'Você está recebendo este e‑mail porque {workspace} convidou você para responder a uma pesquisa.',
  unsubscribe: 'Cancelar inscrição',
  unsubscribeLine: 'Cancelar inscrição: {link}',

  errorTitle: 'Erro: {title}',
  notSubmitted: 'Suas respostas ainda não foram enviadas',
  questionsChanged: 'As perguntas mudaram desde que você abriu esta página. Verifique suas respostas.',
  optional: '(opcional)',
  noAnswer: 'Sem resposta',
  submit: 'Enviar',
  answersGoTo: 'Suas respostas serão enviadas para {workspace}.',
  chooseNumber: 'Escolha um número.',
  chooseAnswer: 'Escolha uma resposta.',
  enterAnswer: 'Digite uma resposta.',
  tooLong: 'Use no máximo {max} caracteres.',

  thanksTitle: 'Agradecemos a sua participação!',
  thanks: 'Sua resposta foi registrada. Você já pode fechar esta página.',
  respondedTitle: 'Você já respondeu',
  responded: 'Sua resposta à pesquisa {title} foi registrada. Agradecemos a sua participação!',
  invalidLinkTitle: 'Este link não é válido',
  invalidLink: 'Ele pode estar incompleto. Abra-o novamente a partir do seu e‑mail.',
  notOpenTitle: 'Pesquisa ainda não disponível',
  notOpen: 'Esta pesquisa ainda não está aberta. Tente novamente mais tarde. Seu link continuará funcionando.',
  closedTitle: 'Pesquisa encerrada',
  closed: 'A pesquisa {title} foi encerrada. Agradecemos o seu interesse.',
  byInvitationTitle: 'Pesquisa somente para convidados',
  byInvitation: 'Para responder, abra o link no e‑mail que você recebeu de {workspace}.',

  unsubscribeTitle: 'Cancelar inscrição',
  unsubscribeQuestion: 'Deseja parar de receber e‑mails de pesquisas de {workspace} em {email}?',
  unsubscribeScope: 'Vale para todos os e‑mails de pesquisas de {workspace}, inclusive lembretes.',
  unsubscribedTitle: 'Inscrição cancelada',
  unsubscribed: '{workspace} não enviará mais e‑mails de pesquisas para {email}.',
  mistake: 'Foi um engano?',
  resubscribe: 'Inscrever-se novamente',
  askWorkspace: 'Para voltar a recebê-los, entre em contato com {workspace}.',
  resubscribedTitle: 'Inscrição reativada',
  resubscribed:
    '{workspace} pode voltar a enviar e‑mails de pesquisas para {email}. Os e‑mails retidos nesse meio-tempo não serão enviados.',
  erasedTitle: 'Não é preciso cancelar',
  erased:
    'O endereço para o qual este convite foi enviado foi apagado. Se você receber outro e‑mail de {workspace}, use o link contido nele.',

  notFoundTitle: 'Página não encontrada',
  notFound: 'Verifique o endereço. Se você abriu um link de um e‑mail, ele pode estar incompleto.',
  tooManyTitle: 'Muitas tentativas',
  tooMany: 'Aguarde um minuto e tente novamente.',
  unavailableTitle: 'Temporariamente indisponível',
  unavailable: 'Tente novamente em alguns minutos.',
  failedTitle: 'Ocorreu um erro',
  failed: 'O problema é nosso. Tente novamente mais tarde.',
  badRequestTitle: 'Não foi possível concluir a operação',
  badRequest: 'Não conseguimos processar sua solicitação. Volte e tente novamente.',
  requestId: 'Solicitação {id}',

  defaultMessage:
    'Olá, {{recipient_name}}!\n\n{{workspace_name}} gostaria de saber a sua opinião: {{survey_title}}\n\n{{survey_link}}\n\nAgradecemos desde já!',
  recommend: 'Qual é a probabilidade de você nos recomendar?',
  leastLikely: 'Nada provável',
  mostLikely: 'Extremamente provável',
  mainReason: 'Qual é o principal motivo da sua nota?',
};
