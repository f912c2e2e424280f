//! The product beside the second implementation: its paytables, its evaluators, and whole rounds through its engine.
//!
//! - `deals`: every evaluator against the slow one, over all deals where they are few and very many where they are not.
//! - `paytables`: every figure, deck rule, stake and minimum of the paytable data against the clauses.
//! - `mutants`: each number of each paytable file changed in turn, to show that `paytables` notices.
//! - `postings`: the figures on the shipped tables' signs against the clauses, and everything offered against the signs.
//! - `twenty_ones`: the bonuses of 12.B and the payouts of 12.C in rounds through the engine.
//! - `rounds`, `wheels`: for every row a round through the engine that wins it, at its moment and in its order.

mod deals;
mod mutants;
mod paytables;
mod postings;
mod rounds;
mod table;
mod twenty_ones;
mod wheels;
