# SPDX-License-Identifier: Apache-2.0

"""What seaworthy knows of runs."""

from __future__ import annotations

from ansible_collections.seaworthy.network.plugins.module_utils import program

PENDING = 'pending'
ROLLED_BACK = 'rolled-back'


def last_of_plan(seaworthy, digest):
    """Return the last run of a plan that was not rolled back; None if this machine knows none."""
    answer = seaworthy.call('status', '--all')
    if answer.status != program.DONE:
        seaworthy.fail(answer, 'listing the runs')
    for run in answer.document or []:
        if run['plan'] == digest and run['outcome'] != ROLLED_BACK:
            return run
    return None


def known(seaworthy, run_id):
    """Return a run; None if this machine does not know it."""
    answer = seaworthy.call('status', names=[run_id])
    return answer.document


def argument_spec():
    """Return the options of a module that is given a run."""
    return program.argument_spec(
        run={'type': 'str', 'required': True},
        hosts={'type': 'list', 'elements': 'str'},
    )


def end(module, command, ended):
    """Confirm a run or roll it back, and end the module; a run whose outcome is in ended needs nothing."""
    seaworthy = program.Program(module)
    run_id = module.params['run']
    before = known(seaworthy, run_id)
    if before is not None:
        run_id = before['id']
    done = before is not None and before['outcome'] in ended
    if module.check_mode:
        if command == 'confirm' and before is not None and before['outcome'] == ROLLED_BACK:
            module.fail_json(msg='run %s: it was rolled back' % run_id, run_id=run_id, outcome=ROLLED_BACK, run=before)
        result = {'run_id': run_id, 'changed': not done}
        if before is not None:
            result.update(outcome=before['outcome'], run=before)
        module.exit_json(**result)
    answer = seaworthy.call(command, names=[run_id] + (module.params['hosts'] or []))
    run = answer.document
    result = {'changed': not done, 'run_id': run_id}
    if run is not None:
        result.update(outcome=run['outcome'], run=run)
    if answer.status != program.DONE:
        result['changed'] = False
        seaworthy.fail(answer, '%s %s' % (command, run_id), **result)
    module.exit_json(messages=answer.messages, **result)
