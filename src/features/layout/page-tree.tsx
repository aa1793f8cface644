import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { type JSX, StrictMode } from "react";

/** All of the page: the same in the browser and where it is rendered to HTML. */
export function pageTree(router: AnyRouter): JSX.Element {
  return (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
}
