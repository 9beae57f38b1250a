# Optuna proposes the points of seaworthy tune --driver -: it reads what tune prints from
# standard input and prints its proposals.
import json
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)


def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else None


space = hear()
direction = "maximize"  # of the gain, whichever way the goal goes
study = optuna.create_study(direction=direction, sampler=optuna.samplers.TPESampler(seed=1, multivariate=True))
for n in range(1, int(sys.argv[1]) + 1):
    trial = study.ask()
    settings = {f: trial.suggest_categorical(f, levels) for f, levels in space["factors"].items()}
    print(json.dumps({"trial": n, "settings": settings}), flush=True)
    told = hear()
    if told is None or told["trial"] != n:
        sys.exit(f"trial {n}: told {told}")
    if "gain" in told:
        study.tell(trial, told["gain"])
    else:
        study.tell(trial, state=optuna.trial.TrialState.FAIL)
