import { setTimeout } from "node:timers/promises";
import { BlogListAnswer, type ScheduledRun, ScheduledStatus } from "#contract/index.ts";
import { type Asking, Contradiction } from "#tests/grown/chaos/asking.ts";
import { type Person, read } from "#tests/server/harness.ts";

const admin = "/admin/blog";
/** Time between two polls of a run, in ms. */
const pollMs = 50;

/** Scheduled posts that a superuser starts beside the schedule. */
export class Posting {
  /** Slugs of the posts that the server has reported as posted. */
  readonly #posted: string[] = [];

  /** Starts a run and follows it to its end: it posts once or gives the reason why not. */
  async run(person: Person, asking: Asking): Promise<void> {
    const started = await asking.until("starting a scheduled post", async () =>
      read(await person.call("POST", `${admin}/trigger-scheduled`), 202, ScheduledStatus),
    );
    const begun = started.history.find(({ outcome }) => outcome === "running") ?? started.history[0];
    if (begun === undefined) throw new Contradiction("starting a scheduled post was acknowledged, and there is no run");
    for (let run = begun; ; ) {
      if (run.outcome !== "running") return this.#takeEnd(run);
      await setTimeout(pollMs);
      const { history } = await asking.until("asking after a scheduled post", () => statusOf(person));
      const found = history.find(({ id }) => id === begun.id);
      if (found === undefined) throw new Contradiction(`the run ${begun.id} of scheduled posting is lost`);
      run = found;
    }
  }

  #takeEnd({ id, outcome, reason, post }: ScheduledRun): void {
    if (outcome === "posted" && post !== null) this.#posted.push(post.slug);
    // The process was killed three times during the run, and the run says so.
    else if (outcome !== "failed" || reason !== "interrupted") {
      throw new Contradiction(`the run ${id} of scheduled posting ended as ${outcome}: ${reason}`);
    }
  }

  /** Each run that has posted has exactly one post, and all reported posts exist. */
  async faults(person: Person): Promise<string[]> {
    const wrong: string[] = [];
    const { postsGenerated, history } = await statusOf(person);
    const { total } = await read(await person.call("GET", "/blog?page=1"), 200, BlogListAnswer);
    // A run of the schedule may end between the two requests.
    const isQuiet =
      history.every(({ outcome }) => outcome !== "running") && (await statusOf(person)).postsGenerated === postsGenerated;
    if (isQuiet && total !== postsGenerated)
      wrong.push(`${postsGenerated} runs of scheduled posting have posted, and there are ${total} posts`);
    for (const slug of this.#posted) {
      const { status } = await person.call("GET", `/blog/${slug}`);
      if (status >= 500) throw new Error(`expected 200, got ${status}: {"message":"a post","code":"internal"}`);
      if (status !== 200) wrong.push(`the post ${slug} was said to be posted and is lost: ${status}`);
    }
    this.#posted.length = 0;
    return wrong;
  }
}

async function statusOf(person: Person): Promise<ScheduledStatus> {
  return read(await person.call("GET", `${admin}/scheduled-status`), 200, ScheduledStatus);
}
