/* A sentence for each error code, in Brazilian Portuguese, to show to users of HR departments. A code without a sentence does not compile. */
import type { ErrorCode } from '../domain/error-codes.ts'

const wait = 'Aguarde alguns instantes e tente de novo.'
const support = 'Avise o suporte do sistema.'
const signIn = 'O sistema precisa se autenticar de novo.'

export const PORTUGUESE_ERRORS: Readonly<Record<ErrorCode, string>> = {
  'bad-request': `A chamada do sistema está malformada. ${support}`,
  'invalid-path': `O endereço da chamada está malformado. ${support}`,
  'invalid-body': 'Há dados ausentes ou que não são válidos. Corrija os campos indicados nos detalhes.',
  'invalid-parameter': 'Um filtro ou parâmetro não é válido. Corrija os indicados nos detalhes.',
  'unknown-parameter': 'Um filtro ou parâmetro não existe. Confira os indicados nos detalhes.',
  'not-applicable': 'Há campos que não se aplicam a esta movimentação. Retire os indicados nos detalhes.',
  'before-start-date': 'A data de término é anterior ao início da vigência. Informe uma data posterior.',
  'date-out-of-range':
    'A data fica a mais de dois anos de hoje ou antes de 1900. Confira-a ou confirme que está certa.',
  'upload-broke-off': 'O envio do arquivo foi interrompido e nada foi gravado. Envie o arquivo de novo.',
  'token-missing': `A chamada foi feita sem autenticação. ${signIn}`,
  'token-expired': `O acesso expirou. ${signIn}`,
  'token-invalid': `O acesso não foi reconhecido ou é de outro ambiente. ${signIn}`,
  'wrong-api': `O acesso usado não serve para esta operação. ${support}`,
  'wrong-secret': 'A identificação ou a senha do sistema não confere. Confira as duas com a corretora.',
  'client-revoked': 'O acesso do sistema foi cancelado. Peça um novo acesso à corretora.',
  'session-ended': 'A sua sessão terminou. Entre de novo.',
  'cross-site-request': `A chamada não veio de uma página deste serviço. ${support}`,
  'not-entitled': 'O sistema não tem acesso a esta empresa. Confira o CNPJ ou peça o acesso à corretora.',
  'role-not-allowed': 'Este operador não tem permissão para a operação. Use um operador com outra função.',
  'not-found': `O endereço chamado não existe. ${support}`,
  'method-not-allowed': `O endereço não aceita este tipo de chamada. ${support}`,
  'request-timeout': 'O envio demorou demais. Tente de novo com uma conexão mais rápida.',
  'body-too-large': 'O conteúdo enviado é grande demais. Divida-o em partes ou envie um arquivo menor.',
  'unsupported-media-type': 'O formato do arquivo não é aceito. Envie em um dos formatos aceitos.',
  'idempotency-key-in-use': `A mesma chamada ainda está em andamento. ${wait}`,
  'idempotency-key-reused': 'A chave de repetição já foi usada com outros dados. Use uma chave nova para cada pedido.',
  'rate-limited': `O sistema fez chamadas demais em um minuto. ${wait}`,
  'too-many-attempts': 'Houve tentativas demais com a senha errada. Corrija a senha e aguarde um minuto.',
  'too-many-stored-responses': 'Há respostas guardadas demais para este sistema. Tente de novo mais tarde.',
  'header-too-large': `A chamada tem cabeçalhos grandes demais. ${support}`,
  'internal-error': 'Ocorreu um erro inesperado no serviço. Informe o identificador da chamada ao suporte.',
  unavailable: `O serviço está temporariamente indisponível e nada foi gravado. ${wait}`,
  'database-away': 'O banco de dados não responde.',
  busy: `O serviço está ocupado: nenhuma conexão com o banco de dados ficou livre. ${wait}`,
  'too-many-calls': `O serviço está com muitas chamadas ao mesmo tempo. ${wait}`,
  'invalid-date-range': 'A data final deve ser posterior à data inicial. Corrija o período.',
  'invalid-filter': 'O filtro não é válido. Use CPF, centro de custo ou matrícula.',
  'invalid-members': 'Há pessoas recusadas no lote e nada foi gravado. Corrija os dados indicados para cada pessoa.',
  'invalid-exclusion-details':
    'Os dados da exclusão estão incompletos ou não são válidos. Corrija os campos indicados.',
  'exclusion-reason-details-required': 'O motivo “outro” exige uma explicação. Preencha os detalhes do motivo.',
  'extension-plan-not-available':
    'A manutenção do plano só existe em demissão sem justa causa ou aposentadoria. Retire a extensão ou corrija o motivo.',
  'invalid-alteration-data': 'Os dados da alteração estão vazios ou não são válidos. Corrija os campos indicados.',
  'invalid-answer':
    'A resposta à pendência tem dados ou documentos que não são válidos e nada mudou. Corrija os campos indicados.',
  'duplicate-url': 'Já existe um endereço de avisos com esta URL. Altere o existente.',
  'too-many-endpoints': 'O limite de endereços de avisos foi atingido. Exclua um que não esteja em uso.',
  'staging-only':
    'Esta operação só existe no ambiente de homologação. Em produção, peça a alteração à corretora, que a leva à operadora e atualiza o cadastro por uma importação.',
  'member-not-found':
    'Não há beneficiário com este CPF. Confira o CPF; a pessoa só aparece depois que a inclusão é concluída.',
  'no-active-benefit': 'A pessoa não tem benefício ativo deste produto. Confira os benefícios dela.',
  'no-active-primary-benefit': 'A pessoa não tem benefício ativo como titular. Confira os benefícios dela.',
  'request-not-found': 'O pedido não foi encontrado. Confira o identificador do pedido.',
  'enrollment-not-found': 'A movimentação não foi encontrada. Confira o identificador da movimentação.',
  'benefit-not-found': 'O benefício não foi encontrado. Confira o identificador do benefício.',
  'company-not-found': 'Não há empresa com este CNPJ. Confira o CNPJ ou peça o cadastro da empresa.',
  'client-not-found': 'O cliente não foi encontrado ou foi cancelado. Confira a lista de clientes.',
  'operator-not-found': 'O operador não foi encontrado ou foi removido. Confira a lista de operadores.',
  'session-not-found': 'Esta chamada não tem sessão. Entre pelo navegador.',
  'document-not-found': 'A movimentação não tem este documento. Confira a lista de documentos.',
  'invoice-not-found': 'A fatura não foi encontrada. Confira a lista de faturas.',
  'invoice-file-not-found': 'A fatura não tem este arquivo. Confira os arquivos da fatura.',
  'import-not-found': 'A importação não foi encontrada. Confira o identificador da importação.',
  'decision-job-not-found':
    'O processamento das decisões não foi encontrado, ou terminou há mais de 30 dias. Confira o identificador.',
  'webhook-endpoint-not-found': 'O endereço de avisos não foi encontrado. Confira a lista de endereços.',
  'webhook-event-not-found': 'O evento não foi encontrado. Confira a lista de eventos.',
  'upload-address-not-found': 'O endereço de envio está incompleto ou foi alterado. Peça um novo endereço de envio.',
  'ongoing-enrollments':
    'A pessoa ainda tem movimentações em andamento nesses benefícios. Aguarde a conclusão e envie de novo.',
  'ambiguous-product': 'A pessoa tem este produto mais de uma vez. Escolha qual benefício deve ser excluído.',
  'ambiguous-company': 'A pessoa tem benefícios em mais de uma empresa. Informe a empresa.',
  'illegal-transition': 'A movimentação não pode passar para a situação pedida. Escolha uma das situações permitidas.',
  'enrollment-reached-carrier': 'A movimentação já foi enviada à operadora. Fale com a corretora.',
  'enrollment-not-pending': 'A movimentação não está aguardando resposta. Consulte de novo a situação dela.',
  'duplicated-enrollment':
    'A mesma movimentação aparece mais de uma vez, com decisões diferentes, e nenhuma foi aplicada. Deixe só uma.',
  'primary-member-not-active':
    'A inclusão do dependente não pode ser concluída antes da inclusão do titular. Conclua antes a do titular.',
  'benefit-not-under-extension-plan': 'O benefício não está em manutenção (extensão) do plano. Use uma exclusão.',
  'last-admin': 'O último administrador não pode ser removido. Crie outro administrador antes.',
  'no-former-secret': 'Só há um segredo em uso, que não pode ser encerrado. Gere um novo segredo antes.',
  'invoice-of-another-company': 'O identificador da fatura já foi usado para outra empresa. Use outro identificador.',
  'invoice-file-not-payment-slip': 'O arquivo não é um boleto. Escolha um arquivo do tipo boleto.',
  'paid-payment-slip':
    'A fatura tem um boleto pago e não pode ser excluída. Se o boleto não foi pago, corrija antes a situação dele.',
  'import-id-used': 'Já existe uma importação com este identificador. Consulte-a ou use outro identificador.',
  'webhook-endpoint-disabled': 'O endereço de avisos está desativado. Ative-o antes.',
  'upload-address-expired': 'O endereço de envio expirou ou já foi usado. Peça um novo endereço de envio.',
  'range-not-satisfiable': 'O trecho pedido não existe no arquivo. Baixe o arquivo inteiro.',
  'too-many-unused-documents':
    'Há documentos enviados demais sem uso em movimentações. Use-os em movimentações ou aguarde.',
  'upload-in-progress': `Já há um envio em andamento para este endereço. ${wait}`,
  'document-storage-unavailable': `Os documentos estão temporariamente indisponíveis e nada foi gravado. ${wait}`,
  'invoice-storage-unavailable': `Os arquivos de faturas estão temporariamente indisponíveis e nada foi gravado. ${wait}`,
  'import-storage-unavailable': `A importação está temporariamente indisponível e nada foi gravado. ${wait}`,
  'import-broke-off':
    'A importação foi interrompida; o que já foi importado permanece. Envie o mesmo arquivo de novo, com outro identificador.',
  'too-many-batches': `Há muitos lotes grandes ao mesmo tempo. ${wait}`,
}
