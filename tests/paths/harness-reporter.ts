import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { WalkReport } from "./harness-walk.ts";

/** Prints the coverage of each machine, and the errors of failed tests. */
export default class WalkReporter implements Reporter {
  readonly #walks: WalkReport[] = [];

  onTestCaseResult(test: TestCase): void {
    const { walk } = test.meta();
    if (walk !== undefined) this.#walks.push(walk);
    for (const error of test.result().errors ?? []) console.error(`FAILED ${test.fullName}\n${error.message}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const module of modules) {
      for (const error of module.errors()) console.error(`FAILED ${module.relativeModuleId}\n${error.message}\n`);
    }
    const rows = this.#walks.toSorted((one, other) => one.machine.localeCompare(other.machine, "en"));
    console.log(line("machine", "states", "transitions", "paths", "steps"));
    for (const { machine, states, transitions, paths, steps } of rows) {
      console.log(line(machine, states, transitions, String(paths), String(steps)));
    }
  }
}

function line(machine: string, ...numbers: string[]): string {
  return machine.padEnd(18) + numbers.map((number) => number.padStart(12)).join("");
}
