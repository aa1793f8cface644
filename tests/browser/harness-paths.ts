import type { Route } from "playwright";

/** A JSON answer for `page.route`. */
export const json =
  (body: unknown, status = 200) =>
  (route: Pick<Route, "fulfill">): Promise<void> =>
    route.fulfill({ status, json: body });
