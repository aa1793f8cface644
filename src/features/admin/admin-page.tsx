import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/_signedIn/_admin/admin/");

/** The open section of the admin panel. */
export function AdminPage() {
  return route.useLoaderData().body;
}
