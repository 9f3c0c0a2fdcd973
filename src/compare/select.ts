import type { NumberedRun, RecordSet } from "../record/record-set.ts";

/** The runs of an input, sorted into those that count and those that do not. */
export interface Selection {
  /** Runs of all arms whose occasion was not set aside. */
  standing: NumberedRun[];
  /** Of these, the ones of the two arms to compare. */
  compared: NumberedRun[];
  /** Runs that a void line sets aside. */
  voided: NumberedRun[];
  /** Arms that are neither baseline nor candidate, with the number of their runs. */
  otherArms: ReadonlyMap<string, number>;
}

/** @param soleCohort What a void line without a cohort means. */
export function selectRuns(
  records: RecordSet,
  baseline: string,
  candidate: string,
  soleCohort: string | null,
): Selection {
  const isVoided = voidTest(records, soleCohort);
  const selection = { standing: [], compared: [], voided: [], otherArms: new Map<string, number>() } as {
    standing: NumberedRun[];
    compared: NumberedRun[];
    voided: NumberedRun[];
    otherArms: Map<string, number>;
  };
  for (const numbered of records.runs) {
    const { arm } = numbered.run;
    if (isVoided(numbered)) {
      selection.voided.push(numbered);
      continue;
    }
    selection.standing.push(numbered);
    if (arm === baseline || arm === candidate) selection.compared.push(numbered);
    else selection.otherArms.set(arm, (selection.otherArms.get(arm) ?? 0) + 1);
  }
  return selection;
}

function voidTest({ voids }: RecordSet, soleCohort: string | null): (numbered: NumberedRun) => boolean {
  if (voids.length === 0) return () => false;
  const keys = new Set(
    voids.map(({ void: { taskID, repetition, attempt, cohort } }) =>
      JSON.stringify([cohort ?? soleCohort, taskID, repetition, attempt]),
    ),
  );
  return ({ run }) => keys.has(JSON.stringify([run.cohort, run.taskID, run.repetition, run.attempt ?? 0]));
}
