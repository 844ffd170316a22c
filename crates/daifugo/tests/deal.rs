//! Golden deals: whatever moves the stream, the sampling or the dealing fails here by name.

use evenhand_contract::{Border, Game, SeedId, Setup, Split, Stream};
use evenhand_daifugo::Daifugo;
use evenhand_daifugo::rules::Rules;
use evenhand_daifugo::state::Carry;

#[test]
fn deals_of_three_seeds_are_those_of_the_file() {
    let file = include_str!("cases/deals.txt");
    let mut found = String::new();
    for players in 3..=6u8 {
        let setup = Setup::<Daifugo> {
            players,
            rules: Rules::default(),
        };
        for (seed, round) in [(0, 1), (17, 1), (9_007_199_254_740_991, 2)] {
            let id = SeedId::number(seed).expect("a seed");
            let mut stream = Stream::deal(Daifugo::NAME, players, Split::Exploration, id, round);
            let deal = Daifugo::deal(&setup, &mut stream);
            let start = Daifugo::start(&setup, &deal, &Carry::default());
            let json = Daifugo::deal_json(&start);
            found.push_str(&format!(
                "{players} {seed} {round} leader {} {json}\n",
                deal.leader
            ));
        }
    }
    assert_eq!(found, file, "left: dealt now; right: the file");
}
