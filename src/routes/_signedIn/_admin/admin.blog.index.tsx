import { createFileRoute } from "@tanstack/react-router";
import { postsRoute } from "../../../components/blog-admin/pages.ts";

export const Route = createFileRoute("/_signedIn/_admin/admin/blog/")(postsRoute());
