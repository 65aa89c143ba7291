/** Fields of a project: a page of a hundred counts as one more request. */
export const fieldsOfOneRequest =
  'id name fullPath description visibility namespace { id kind name fullName path fullPath webUrl } group { id name path fullName fullPath description visibility webUrl createdAt } owner { id username name state }';
