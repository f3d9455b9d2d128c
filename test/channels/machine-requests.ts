import type { Trial } from './trial.ts';

/** How the operations of machines are tried. */
export const machineTrials: Readonly<Record<string, Trial>> = {
  GetMachine: { request: () => ({ name: 'agent' }), refused: { request: { name: 'none' }, code: 'not_found' } },
  GetMachineChart: { request: () => ({ name: 'agent' }), refused: { request: { name: 'none' }, code: 'not_found' } },
  SurveyMachine: { request: () => ({ name: 'host' }), refused: { request: { name: 'none' }, code: 'not_found' } },
  ListLives: { request: () => ({ machine: 'host' }), refused: { request: { machine: 'none' }, code: 'not_found' } },
  ListTransitions: {
    request: (subjectId) => ({ machine: 'agent', subjectId, pageSize: 3 }),
    refused: { request: { machine: 'agent', subjectId: 'agt_none', cursor: 'made up' }, code: 'invalid_argument' },
  },
  WatchTransitions: {
    request: (subjectId) => ({ cursor: '0', machine: 'agent', subjectId }),
    refused: { request: { cursor: 'made up' }, code: 'invalid_argument' },
  },
  ExplainMachine: {
    request: (subjectId) => ({ machine: 'agent', subjectId }),
    refused: { request: { machine: 'agent', subjectId: 'agt_none' }, code: 'not_found' },
  },
};
