import { RouterProvider } from "@tanstack/react-router";
import { type JSX, StrictMode } from "react";
import type { PageRouter } from "#src/browser/page-router.ts";

/** All of the page: the same in the browser and where it is rendered to HTML. */
export function pageTree(router: PageRouter): JSX.Element {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
}
